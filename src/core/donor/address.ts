import type { DonorField } from './donor.ts';

/** Address fields other than the country. */
export const ADDRESS_FIELDS = [
  'address1',
  'address2',
  'city',
  'state',
  'postal',
] as const satisfies readonly DonorField[];
export type AddressField = (typeof ADDRESS_FIELDS)[number];

/** Label keys for the city field, from `locality_name_type` in Google's address metadata. */
export const CITY_LABELS = ['city', 'district', 'post_town', 'suburb'] as const;
/** Label keys for the state field, from `state_name_type` in Google's address metadata. */
export const STATE_LABELS = [
  'province',
  'area',
  'county',
  'department',
  'district',
  'do_si',
  'emirate',
  'island',
  'oblast',
  'parish',
  'prefecture',
  'region',
  'state',
] as const;
/** Label keys for the postal code field, from `zip_name_type` in Google's address metadata. */
export const POSTAL_LABELS = ['postal', 'eircode', 'pin', 'zip'] as const;

export type CityLabel = (typeof CITY_LABELS)[number];
export type StateLabel = (typeof STATE_LABELS)[number];
export type PostalLabel = (typeof POSTAL_LABELS)[number];

/** Required address fields of unknown formats, from the `ZZ` entry in Google's address metadata. */
export const DEFAULT_REQUIRED_FIELDS: readonly AddressField[] = ['address1', 'city'];

export function isAddressField(name: string): name is AddressField {
  return ADDRESS_FIELDS.some((field) => field === name);
}

import type { DonorField } from './donor.ts';

export const ADDRESS_FIELDS = [
  'address1',
  'address2',
  'city',
  'state',
  'postal',
] as const satisfies readonly DonorField[];
export type AddressField = (typeof ADDRESS_FIELDS)[number];

/** Required address fields of unknown formats, from the `ZZ` entry in Google's address metadata. */
export const DEFAULT_REQUIRED_FIELDS: readonly AddressField[] = ['address1', 'city'];

export function isAddressField(name: string): name is AddressField {
  return ADDRESS_FIELDS.some((field) => field === name);
}

import type { CityLabel, PostalLabel, StateLabel } from '../model/address.ts';

/** The texts of an address. */
export interface AddressTexts {
  readonly country: string;
  readonly address1: string;
  readonly address2: string;
  readonly cityLabels: Readonly<Record<CityLabel, string>>;
  /** While the country is not known. */
  readonly state: string;
  readonly stateLabels: Readonly<Record<StateLabel, string>>;
  readonly postalLabels: Readonly<Record<PostalLabel, string>>;
  readonly optional: string;
  /** Stands in a list before anything is chosen. */
  readonly choose: string;
  /** `{label}` is the field's label. */
  readonly missing: string;
  /** `{label}` is the field's label, `{example}` a postal code of the country. */
  readonly notAPostal: string;
}

/** The texts of an address, in English. */
export const enAddress: AddressTexts = {
  country: 'Country',
  address1: 'Address',
  address2: 'Address, second line',
  cityLabels: { city: 'City', district: 'District', post_town: 'Town or city', suburb: 'Suburb' },
  state: 'State or province',
  stateLabels: {
    province: 'Province', area: 'Area', county: 'County', department: 'Department', district: 'District', do_si: 'Province or city', emirate: 'Emirate', island: 'Island', oblast: 'Oblast',
    parish: 'Parish', prefecture: 'Prefecture', region: 'Region', state: 'State',
  },
  postalLabels: { postal: 'Postal code', eircode: 'Eircode', pin: 'PIN code', zip: 'ZIP code' },
  optional: 'optional',
  choose: 'Choose',
  missing: 'Please fill in “{label}”.',
  notAPostal: 'Check “{label}”; it should look like {example}.',
};

import type { CityLabel, PostalLabel, StateLabel } from '../donor/address.ts';

/** The texts of an address by country; while none is chosen its fields have their plain names. */
export interface AddressTexts {
  readonly cityLabels: Readonly<Record<CityLabel, string>>;
  readonly stateLabels: Readonly<Record<StateLabel, string>>;
  readonly postalLabels: Readonly<Record<PostalLabel, string>>;
  /** Stands in a list before anything is chosen. */
  readonly choose: string;
  /** `{label}` is the field's label. */
  readonly missing: string;
  /** `{label}` is the field's label, `{example}` a postal code of the country. */
  readonly notAPostal: string;
}

/** The texts of an address, in English. */
export const enAddress: AddressTexts = {
  cityLabels: { city: 'City', district: 'District', post_town: 'Town or city', suburb: 'Suburb' },
  stateLabels: {
    province: 'Province',
    area: 'Area',
    county: 'County',
    department: 'Department',
    district: 'District',
    do_si: 'Province or city',
    emirate: 'Emirate',
    island: 'Island',
    oblast: 'Oblast',
    parish: 'Parish',
    prefecture: 'Prefecture',
    region: 'Region',
    state: 'State',
  },
  postalLabels: { postal: 'Postal code', eircode: 'Eircode', pin: 'PIN code', zip: 'ZIP code' },
  choose: 'Choose',
  missing: 'Please fill in “{label}”.',
  notAPostal: 'Check “{label}”; it should look like {example}.',
};

import type { CityLabel, PostalLabel, StateLabel } from '../donor/address.ts';

export interface AddressTexts {
  readonly cityLabels: Readonly<Record<CityLabel, string>>;
  readonly stateLabels: Readonly<Record<StateLabel, string>>;
  readonly postalLabels: Readonly<Record<PostalLabel, string>>;
  readonly chooseRegion: string;
  /** `{field}` is the field's label. */
  readonly addressFieldRequired: string;
  /** `{field}` is the field's label. `{example}` is a valid postal code in the country. */
  readonly postalCodeInvalid: string;
}

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
  chooseRegion: 'Choose',
  addressFieldRequired: '“{field}” is required.',
  postalCodeInvalid: 'Check “{field}”. It should look like {example}.',
};

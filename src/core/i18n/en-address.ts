/** Texts of the address fields. Labels are keyed as in Google's address metadata. */
export const enAddress = {
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
  /** First option of a list. Selected until the donor chooses another one. */
  chooseRegion: 'Choose',
  /** `{field}` is the field's label. */
  addressFieldRequired: '“{field}” is required.',
  /** `{field}` is the field's label. `{example}` is a valid postal code in the country. */
  postalCodeInvalid: 'Check “{field}”. It should look like {example}.',
};

export type AddressTexts = {
  readonly [Key in keyof typeof enAddress]: Readonly<(typeof enAddress)[Key]>;
};

import type { DonorField } from './donor.ts';

/** Values of the `autocomplete` attribute (HTML, "Autofill"). */
export const DONOR_AUTOCOMPLETE = {
  firstName: 'given-name',
  lastName: 'family-name',
  email: 'email',
  phone: 'tel',
  address1: 'address-line1',
  address2: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  postal: 'postal-code',
  country: 'country-name',
} as const satisfies Record<DonorField, string>;

export const DONOR_INPUT_TYPES: Readonly<Partial<Record<DonorField, 'email' | 'tel'>>> = {
  email: 'email',
  phone: 'tel',
};

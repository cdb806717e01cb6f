import type { FormDefinition } from '../src/core/schemas/form-definition.ts';
import { exampleForm } from './example-form.ts';

/** A form in GBP and USD with Gift Aid, for tests. */
export const giftAidForm: FormDefinition = {
  ...exampleForm,
  currencies: [
    {
      code: 'GBP',
      decimals: 2,
      minimum: 500,
      maximum: 1_000_000,
      giftArray: [{ value: 2_500 }, { value: 5_000, isDefault: true }],
    },
    exampleForm.currencies[0],
  ],
  allowOrganizations: true,
  giftAid: {
    single: 'I want Lanternwell to claim Gift Aid on this donation.',
    all: 'I want Lanternwell to claim Gift Aid on all donations.',
    language: 'en-GB',
  },
};

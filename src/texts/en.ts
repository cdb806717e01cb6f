import type { DonorField } from '../model/donor.ts';
import type { GiftFrequency } from '../model/frequency.ts';

/** The texts of the form until it is sent, in English. Amounts arrive formatted. */
export const en = {
  loading: 'The donation form is loading',
  unavailable: 'The donation form cannot be shown right now.',
  insecure: 'This page is not encrypted, so no gift is taken here.',
  tryAgain: 'Try again',
  testRibbon: 'Test mode: no money moves',

  frequency: 'How often',
  frequencies: {
    once: 'Once', weekly: 'Weekly', everyOtherWeek: 'Every 2 weeks', monthly: 'Monthly', quarterly: 'Quarterly', biannual: 'Twice a year', annually: 'Yearly',
  } satisfies Record<GiftFrequency, string>,
  rhythms: {
    once: '', weekly: ' every week', everyOtherWeek: ' every two weeks', monthly: ' every month', quarterly: ' every three months', biannual: ' twice a year', annually: ' every year',
  } satisfies Record<GiftFrequency, string>,
  amount: 'Amount',
  otherAmount: 'Other amount',
  amountIn: (currency: string) => `Amount in ${currency}`,
  purpose: 'Your gift is for',
  donor: 'About you',
  fields: {
    firstName: 'First name', lastName: 'Last name', email: 'E-mail', phone: 'Phone', address1: 'Address', address2: 'Address, second line',
    city: 'City', state: 'State or province', postal: 'Postal code', country: 'Country',
  } satisfies Record<DonorField, string>,
  optional: 'optional',
  comment: 'Comment',
  payment: 'Card',
  coverCosts: (costs: string | undefined) => `Add ${costs ?? 'a little'} to cover the costs of this payment`,
  coverCostsWhy: (amount: string | undefined, organization: string) => `All of your ${amount ?? 'gift'} then reaches ${organization}`,
  give: (total: string, rhythm: string) => `Give ${total}${rhythm}`,
  giveWithoutAmount: 'Give',
  sending: 'Sending your gift…',
  promise: (organization: string) => `Your gift goes to ${organization}. Your card details go straight to the card processor.`,

  problems: (count: number) => (count === 1 ? 'One thing is missing or needs a correction.' : `${count} things are missing or need a correction.`),
  amountMissing: 'Choose or write an amount.',
  notAnAmount: 'Write the amount with digits, such as 40 or 40.50.',
  tooSmall: (minimum: string) => `The smallest gift here is ${minimum}.`,
  tooLarge: (maximum: string, contact: string) => `The largest gift here is ${maximum}. For more, write to ${contact}.`,
  missing: {
    firstName: 'Write your first name.', lastName: 'Write your last name.', email: 'Write your e-mail address.', phone: 'Write your phone number.', address1: 'Write your address.',
    address2: 'Write the second line of your address.', city: 'Write your city.', state: 'Write your state or province.', postal: 'Write your postal code.', country: 'Write your country.',
  } satisfies Record<DonorField, string>,
  notAnEmail: 'Check the e-mail address; it should look like name@example.org.',
  paymentUnavailable: 'The card field could not be loaded. Check your connection, or whether something in your browser blocks it, and try again.',
};

/** The texts that a language must have; one that is missing does not compile. */
export type Texts = typeof en;

import type { DonorField } from '../donor/donor.ts';
import type { DonationFrequency } from '../donation/frequency.ts';

/**
 * Texts that a form shows before it is submitted. Amounts in placeholders are already formatted.
 */
export const enForm = {
  /** Format of amounts on first paint, before `Intl` is used. */
  decimalSeparator: '.',
  groupSeparator: ',',
  currencyPattern: '{symbol}{amount}',

  loading: 'Loading the donation form',
  unavailable: 'The donation form is not available right now.',
  insecurePage: 'You cannot give here, because this page is not encrypted.',
  tryAgain: 'Try again',
  testMode: 'Test mode',

  frequency: 'Frequency',
  frequencies: {
    once: 'Once',
    weekly: 'Weekly',
    everyOtherWeek: 'Every 2 weeks',
    monthly: 'Monthly',
    quarterly: 'Quarterly',
    biannual: 'Twice a year',
    annually: 'Yearly',
  } satisfies Record<DonationFrequency, string>,
  /** An amount and its frequency: shown alone, and as `{amount}` in `give`. */
  amountsByFrequency: {
    once: '{amount}',
    weekly: '{amount} every week',
    everyOtherWeek: '{amount} every two weeks',
    monthly: '{amount} every month',
    quarterly: '{amount} every three months',
    biannual: '{amount} twice a year',
    annually: '{amount} every year',
  } satisfies Record<DonationFrequency, string>,
  amount: 'Amount',
  otherAmount: 'Other',
  otherAmountIn: 'Other amount in {currency}',
  currency: 'Currency',
  purpose: 'Designation',
  donor: 'About you',
  fields: {
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    phone: 'Phone',
    address1: 'Address',
    address2: 'Address line 2',
    city: 'City',
    state: 'State or province',
    postal: 'Postal code',
    country: 'Country',
  } satisfies Record<DonorField, string>,
  optional: 'optional',
  comment: 'Comment',
  payment: 'Payment',
  coverFees: 'Add {fee} to cover transaction fees',
  coverFeesWithoutAmount: 'Add a small amount to cover transaction fees',
  coverFeesHint: 'Your full {amount} goes to {organization}',
  coverFeesHintWithoutAmount: 'Your full gift goes to {organization}',
  give: 'Give {amount}',
  giveWithoutAmount: 'Give',
  sending: 'Sending your gift…',
  recipientNote:
    'Your gift goes to {organization}. Your payment details go straight to the payment processor.',
  paymentUnavailable:
    'The payment field could not be loaded. Check your connection and whether your browser blocks the field, then try again.',
};

export type FormTexts = typeof enForm;

import type { DonorField } from '../donor/donor.ts';
import type { GiftFrequency } from '../donation/frequency.ts';

/**
 * The texts of the form until it is sent, in English. What stands in braces is filled in; amounts
 * arrive formatted.
 */
export const en = {
  direction: 'ltr' as 'ltr' | 'rtl',
  /** How amounts are written, before and where the browser's own formats are not there yet. */
  decimalMark: '.',
  groupMark: ',',
  money: '{sign}{amount}',

  loading: 'The donation form is loading',
  unavailable: 'The donation form cannot be shown right now.',
  insecure: 'This page is not encrypted, so no gift is taken here.',
  tryAgain: 'Try again',
  testRibbon: 'Test mode: no money moves',

  frequency: 'How often',
  frequencies: {
    once: 'Once',
    weekly: 'Weekly',
    everyOtherWeek: 'Every 2 weeks',
    monthly: 'Monthly',
    quarterly: 'Quarterly',
    biannual: 'Twice a year',
    annually: 'Yearly',
  } satisfies Record<GiftFrequency, string>,
  /** A sum and how often it is given: stands alone, and as {gift} in `give`. */
  gifts: {
    once: '{total}',
    weekly: '{total} every week',
    everyOtherWeek: '{total} every two weeks',
    monthly: '{total} every month',
    quarterly: '{total} every three months',
    biannual: '{total} twice a year',
    annually: '{total} every year',
  } satisfies Record<GiftFrequency, string>,
  amount: 'Amount',
  otherAmount: 'Other amount',
  amountIn: 'Other amount in {currency}',
  currency: 'Currency',
  purpose: 'Your gift is for',
  donor: 'About you',
  fields: {
    firstName: 'First name',
    lastName: 'Last name',
    email: 'E-mail',
    phone: 'Phone',
    address1: 'Address',
    address2: 'Address, second line',
    city: 'City',
    state: 'State or province',
    postal: 'Postal code',
    country: 'Country',
  } satisfies Record<DonorField, string>,
  optional: 'optional',
  comment: 'Comment',
  payment: 'Payment',
  coverCosts: 'Add {costs} to cover the costs of this payment',
  coverCostsUnknown: 'Add a little to cover the costs of this payment',
  coverCostsWhy: 'All of your {amount} then reaches {organization}',
  coverCostsWhyUnknown: 'All of your gift then reaches {organization}',
  give: 'Give {gift}',
  giveWithoutAmount: 'Give',
  sending: 'Sending your gift…',
  promise:
    'Your gift goes to {organization}. Your payment details go straight to the payment processor.',
  paymentUnavailable:
    'The payment field could not be loaded. Check your connection, or whether something in your browser blocks it, and try again.',
};

/** The texts that a language must have; one that is missing does not compile. */
export type FormTexts = typeof en;

import type { DonationFrequency } from '../donation/frequency.ts';
import type { DonorField } from '../donor/donor.ts';

/** Texts of a form before submission. Amounts in placeholders are already formatted. */
export const enForm = {
  /** Amount format for the first paint, which does not use `Intl`. */
  decimalSeparator: '.',
  groupSeparator: ',',
  currencyPattern: '{symbol}{amount}',

  loading: 'Loading the donation form',
  unavailable: "We couldn't load the donation form.",
  insecurePage: "This page isn't secure, so you can't give here.",
  tryAgain: 'Try again',
  testMode: 'Test mode',

  frequency: 'How often?',
  frequencies: {
    once: 'One-time',
    weekly: 'Weekly',
    everyOtherWeek: 'Every 2 weeks',
    monthly: 'Monthly',
    quarterly: 'Quarterly',
    biannual: 'Every 6 months',
    annually: 'Yearly',
  } satisfies Record<DonationFrequency, string>,
  /** An amount with its frequency. Shown alone, and as `{amount}` in `give`. */
  amountsByFrequency: {
    once: '{amount}',
    weekly: '{amount} a week',
    everyOtherWeek: '{amount} every 2 weeks',
    monthly: '{amount} a month',
    quarterly: '{amount} every 3 months',
    biannual: '{amount} every 6 months',
    annually: '{amount} a year',
  } satisfies Record<DonationFrequency, string>,
  amount: 'Choose an amount',
  otherAmount: 'Other',
  otherAmountIn: 'Other amount in {currency}',
  currency: 'Currency',
  purpose: 'Your donation supports',
  donor: 'Your details',
  fields: {
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email',
    phone: 'Phone',
    address1: 'Address',
    address2: 'Apartment, suite, etc.',
    city: 'City',
    state: 'State or province',
    postal: 'Postal code',
    country: 'Country',
  } satisfies Record<DonorField, string>,
  optional: 'optional',
  comment: 'Message',
  payment: 'Payment',
  coverFees: "I'll cover the transaction fees",
  coverFeesHint: 'This adds {fee}, so {organization} receives your full {amount}.',
  give: 'Give {amount}',
  giveWithoutAmount: 'Give',
  sending: 'Sending your donation…',
  recipientNote:
    'Your donation goes to {organization}. Your payment is encrypted, and we never see your card number.',
  paymentUnavailable:
    "We couldn't load the payment form. Check your connection or turn off your ad blocker for this page, then try again.",
  /** Shown after the donor presses the button if the form could not send anything. */
  notSubmitted:
    "You haven't been charged. We couldn't reach {organization}, but your details are still here. Please press the button again.",
};

export type FormTexts = typeof enForm;

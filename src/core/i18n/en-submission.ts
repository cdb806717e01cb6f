import type { DonorField } from '../donor/donor.ts';
import type { DonationFrequency } from '../donation/frequency.ts';
import type { PluralForms } from './format-plural.ts';

/** A message about the donation as a whole, shown above the button. */
export type SubmissionNotice =
  | 'settings-changed'
  | 'payment-details-incomplete'
  | 'processor-unavailable'
  | 'card-declined'
  | 'not-confirmed'
  | 'payment-failed'
  | 'network-error'
  | 'offline'
  | 'too-many-requests'
  | 'form-outdated'
  | 'paused'
  | 'rejected';

/** Texts that a form shows once it is submitted. Amounts in placeholders are already formatted. */
export const enSubmission = {
  errorSummary: {
    one: 'One field is missing or incorrect.',
    other: '{count} fields are missing or incorrect.',
  } as PluralForms,
  amountRequired: 'Choose or enter an amount.',
  amountInvalid: 'Enter the amount as a number, such as {example}.',
  amountTooSmall: 'Enter at least {minimum}.',
  amountTooLarge: 'Enter at most {maximum}. To give more, contact {contact}.',
  amountRejectedAsTooSmall:
    'Enter a larger amount. The payment processor does not accept this one.',
  amountRejectedAsTooLarge:
    'Enter a smaller amount. The payment processor does not accept this one.',
  required: {
    firstName: 'Enter your first name.',
    lastName: 'Enter your last name.',
    email: 'Enter your email.',
    phone: 'Enter your phone number.',
    address1: 'Enter your address.',
    address2: 'Enter the second line of your address.',
    city: 'Enter your city.',
    state: 'Enter your state or province.',
    postal: 'Enter your postal code.',
    country: 'Choose your country.',
  } satisfies Record<DonorField, string>,
  cardNumberDetected:
    'Remove what looks like a card number. Enter card details only in the payment field.',
  emailInvalid: 'Enter a valid email, such as name@example.org.',
  /** A button that corrects a misspelled domain. */
  emailSuggestion: 'Did you mean {email}?',

  /** `{contact}` is the organization's email address, `{time}` a time of day. */
  notices: {
    'settings-changed':
      'You have not been charged. The page changed this gift after you saw it. Review your gift, then press the button again.',
    'payment-details-incomplete': 'Check your payment details above.',
    'processor-unavailable':
      'You have not been charged. The payment processor did not respond. Try again in a moment.',
    'card-declined':
      'You have not been charged. The payment was declined. Your bank can tell you why.',
    'not-confirmed': 'You have not been charged. The payment was not confirmed. You can try again.',
    'payment-failed': 'You have not been charged. Please try again.',
    'network-error':
      'You will not be charged twice. We could not reach {organization}, but everything you entered is still here. Press the button again.',
    offline:
      'You will not be charged twice. You are offline, but everything you entered is still here. Press the button again when you are back online.',
    'too-many-requests':
      'You will not be charged twice. Many people are giving right now, but everything you entered is still here. Press the button again after {time}.',
    'form-outdated':
      'You have not been charged. This form changed while you were filling it in. Review your gift, then press the button again.',
    paused:
      'You have not been charged. {organization} is not accepting gifts right now, but everything you entered is still here. Try again later.',
    rejected:
      'You have not been charged. We could not process this gift. Please contact {contact}.',
  } satisfies Record<SubmissionNotice, string>,

  /** Shown instead of `not-confirmed` if the donor canceled at a method such as PayPal. */
  paymentCanceledAt:
    'You have not been charged. You canceled the payment at {method}. You can try again.',
  /** Shown below `card-declined` and `not-confirmed`; leads to the payment methods. */
  tryOtherPayment: 'Try another card or payment method',

  /** Shown in place of the payment field. */
  hostedPayment: "You pay in the next step, on the payment processor's secure page.",
  /** Shown in place of the payment field of a method that has none, such as PayPal. */
  hostedPaymentAt: 'In the next step, you continue at {method}. You then come back to this page.',
  /** Shown after the button was pressed, if the payment field does not work. */
  hostedPaymentInstead:
    "You have not been charged. The payment processor did not respond. You pay in the next step, on the payment processor's secure page. Press the button again.",
  paymentFieldUnavailable:
    'You have not been charged. The payment field could not be loaded. Check your connection and whether your browser blocks the field, then try again.',
  /**
   * Shown while the payment processor does not respond, with `payOnHostedPage` or
   * `chooseOtherMethod`.
   */
  stalledPayment: 'You have not been charged. The payment processor has not responded yet.',
  payOnHostedPage: 'Pay on the secure page',
  chooseOtherMethod: 'Choose another payment method',
  /** Shown above the wallet buttons, below the amount. */
  walletHint: 'Your wallet fills in your details.',
  /** Shown instead of `walletHint` if the donor covers the fee. */
  walletFee: 'Includes {fee} to cover transaction fees.',
  /** Name of the fee in the wallet's list of items. */
  walletFeeItem: 'Transaction fees',
  /** Shown between the wallet buttons and the donor's details. */
  walletDivider: 'or pay another way',
  /** Shown while the wallet is open. */
  /**
   * Shown above the button for recurring donations. `{day}` is a day of the month, such as `22nd`;
   * `{date}` is a day and a month. `everyMonth` is for days that not every month has.
   */
  schedules: {
    weekly: '{amount} today, then every week. Cancel anytime.',
    everyOtherWeek: '{amount} today, then every 2 weeks. Cancel anytime.',
    monthly: '{amount} today, then on the {day} of each month. Cancel anytime.',
    everyMonth: '{amount} today, then every month. Cancel anytime.',
    quarterly: '{amount} today, then every 3 months. Cancel anytime.',
    biannual: '{amount} today, then every 6 months. Cancel anytime.',
    annually: '{amount} today, then every year on {date}. Cancel anytime.',
  } satisfies Record<Exclude<DonationFrequency, 'once'> | 'everyMonth', string>,
  confirmInWallet: 'Confirm this gift in your wallet',
  confirmWithBank: 'Confirm this payment with your bank',

  actionTitle: 'One more step',
  actionDescription:
    'You have not been charged yet. Confirm the payment with your bank or on the payment page.',
  actionNetworkError:
    'We do not know yet whether you have been charged, because we could not reach {organization}. Try again in a moment.',
  actionContinue: 'Continue',
  actionCancel: 'Cancel',

  unconfirmedTitle: 'We are confirming your payment',
  unconfirmedDescription:
    'We do not know yet whether you have been charged. Please do not give again. This page shows the result as soon as the payment processor reports it; you can also close the page.',
  reference: 'Reference',
  questions: 'Questions? Contact {contact} and include the reference.',
  /** Shown under an error; `{requestId}` is the request's ID in the server's log. */
  requestIdHint: 'If you contact us, include {requestId}.',

  thanksTitle: 'Thank you!',
  thanksTitleWithName: 'Thank you, {name}!',
  thanksPurpose: 'For:',
  earlierGift:
    'This is the gift that you sent earlier. You were not charged for your later changes.',
  feeBreakdown: '{amount} is your gift, and {fee} covers transaction fees.',
  receipts: {
    platform: '{organization} will email you a receipt.',
    processor: 'The payment processor will email you a receipt.',
    none: 'Keep this page for your records, because no receipt is sent automatically. To get one from {organization}, contact {contact}.',
  },
  print: 'Print',
  share: 'Share',
  shareMessage: 'I gave to {organization}. Will you join me?',
  linkCopied: 'The link to this page is copied.',
  manageGift: 'Change your card or cancel this gift at any time',
  processingTitle: 'Your gift is on its way',
  processingDescription:
    'Your bank has accepted the payment and will complete it within a few days. You do not need to do anything else.',
  instructionsTitle: 'Thank you! Here is how to pay',
};

export type SubmissionTexts = typeof enSubmission;

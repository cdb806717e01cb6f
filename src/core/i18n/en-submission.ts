import type { DonationFrequency } from '../donation/frequency.ts';
import type { DonorField } from '../donor/donor.ts';
import type { PluralForms } from './format.ts';

/** Texts while the donor fills in the form. Amounts in placeholders are already formatted. */
export const enEntry = {
  errorSummary: {
    one: 'Please check one field.',
    other: 'Please check {count} fields.',
  } as PluralForms,
  amountRequired: 'Choose or enter an amount.',
  amountInvalid: 'Enter a number, such as {example}.',
  amountTooSmall: 'The minimum donation is {minimum}.',
  amountTooLarge: 'The maximum online donation is {maximum}. To give more, email {contact}.',
  amountRejectedAsTooSmall: "Enter a larger amount. The payment provider doesn't accept this one.",
  amountRejectedAsTooLarge: "Enter a smaller amount. The payment provider doesn't accept this one.",
  required: {
    firstName: 'Enter your first name.',
    lastName: 'Enter your last name.',
    email: 'Enter your email.',
    phone: 'Enter your phone number.',
    address1: 'Enter your address.',
    address2: 'Enter your apartment or suite number.',
    city: 'Enter your city.',
    state: 'Enter your state or province.',
    postal: 'Enter your postal code.',
    country: 'Choose your country.',
  } satisfies Record<DonorField, string>,
  cardNumberDetected:
    'This looks like a card number. Please remove it and enter card details only under Payment.',
  emailInvalid: 'Enter a valid email, such as name@example.org.',
  emailSuggestion: 'Did you mean {email}?',

  hostedPayment: "You'll pay in the next step, on the payment provider's secure page.",
  /** Shown in place of the payment field of a method that has none, such as PayPal. */
  hostedPaymentAt: "In the next step, you'll continue to {method}, then come back to this page.",
  walletTitle: 'Express checkout',
  walletHint: 'Your details are filled in for you.',
  /** Shown instead of `walletHint` if the donor covers the fee. */
  walletFee: 'Includes {fee} to cover transaction fees.',
  /** Name of the fee in the wallet's list of items. */
  walletFeeItem: 'Transaction fees',
  /**
   * `{day}` is a day of the month, such as `22nd`. `{date}` is a day and a month. `everyMonth` is for
   * the 29th to the 31st.
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
  /** Shown while the wallet is open. */
  confirmInWallet: 'Confirm this donation in your wallet',
};

/** Texts after the donor presses the button. Amounts in placeholders are already formatted. */
export const enSubmission = {
  /** `{contact}` is the organization's email. `{time}` is a time of day. */
  notices: {
    'settings-changed':
      "You haven't been charged. This page updated your donation. Please check it and press the button again.",
    'payment-details-incomplete': 'Check your payment details.',
    'processor-unavailable':
      "You haven't been charged. We couldn't reach the payment provider. Please try again.",
    'card-declined':
      "You haven't been charged. The payment was declined. Your bank can tell you why.",
    'not-confirmed': "You haven't been charged. The payment wasn't confirmed. Please try again.",
    'payment-failed':
      "You haven't been charged. We couldn't process the payment. Please try again.",
    'network-error':
      "You won't be charged twice. We couldn't reach {organization}, but your details are still here. Please press the button again.",
    offline:
      "You won't be charged twice. You're offline, but your details are still here. Please press the button again when you're back online.",
    'too-many-requests':
      "You won't be charged twice. We can't process your donation right now. Please press the button again after {time}.",
    'form-outdated':
      "You haven't been charged. This form was updated. Please check your donation and press the button again.",
    paused:
      "You haven't been charged. {organization} isn't accepting donations right now. Please try again later.",
    rejected:
      "You haven't been charged. We couldn't process this donation. Please contact {contact}.",
  },

  /** Shown without JavaScript if a donation looks automated. */
  noScriptRejected:
    "You haven't been charged. To prevent fraud, we can't accept this donation without JavaScript right now. Turn on JavaScript and give on our website, try again in an hour, or contact {contact}.",
  /** Instead of `not-confirmed` if the donor canceled on the page of a method such as PayPal. */
  paymentCanceledAt:
    "You haven't been charged. You canceled the payment with {method}. Please try again.",
  /** Usually a link, below `card-declined` and `not-confirmed`. */
  tryOtherPayment: 'Try a different card or payment method',

  /** Shown after the donor presses the button if the payment field does not work. */
  hostedPaymentInstead:
    "You haven't been charged. We couldn't load the payment form. Press the button again to pay on the payment provider's secure page.",
  paymentFieldUnavailable:
    "You haven't been charged. We couldn't load the payment form. Check your connection or turn off your ad blocker for this page, then try again.",
  /** Shown with `payOnHostedPage` or `chooseOtherMethod` if the provider does not respond. */
  stalledPayment: "This is taking longer than usual. You haven't been charged.",
  payOnHostedPage: "Pay on the payment provider's page instead",
  chooseOtherMethod: 'Choose another payment method',
  confirmWithBank: 'Confirm this payment with your bank',

  actionTitle: 'One more step',
  actionDescription:
    "You haven't been charged yet. Confirm the payment with your bank or on the payment page.",
  actionNetworkError:
    "We don't know yet whether you've been charged, because we couldn't reach {organization}. Please try again in a moment.",
  actionContinue: 'Continue',
  actionCancel: 'Cancel',

  unconfirmedTitle: "We're confirming your payment",
  unconfirmedDescription:
    "We don't know yet whether you've been charged. Please don't give again. This page updates by itself, and it's safe to close it.",
  reference: 'Reference',
  questions: 'Questions? Email {contact} and mention the reference.',
  /** Shown under an error. `{requestId}` is the request's ID in the server's log. */
  requestIdHint: 'If you email us, mention {requestId}.',

  thanksTitle: 'Thank you!',
  thanksTitleWithName: 'Thank you, {name}!',
  /**
   * `{impact}` is the description of the suggested amount. Without one, `thanksMessage` is shown,
   * unless it is not customized and the screen names the project.
   */
  thanksForImpact: 'Your donation to {organization} makes this possible: {impact}',
  thanksMessage: 'Your donation supports the work of {organization}.',
  nextCharge: 'Next charge: {amount} on {date}',
  earlierGift: "This is the donation you made earlier. You weren't charged for later changes.",
  feeBreakdown: '{amount} donation + {fee} transaction fees',
  receipts: {
    us: '{organization} will email you a receipt as soon as your payment arrives.',
    platform: '{organization} will email you a receipt.',
    processor: 'The payment provider will email you a receipt.',
    none: 'Save or print this page for your records. For a receipt from {organization}, email {contact}.',
  },
  print: 'Print',
  share: 'Share',
  shareMessage: 'I gave to {organization}. Will you join me?',
  linkCopied: 'Link copied',
  copy: 'Copy',
  copied: 'Copied',
  /** Shown if the browser does not let the page copy. */
  copyManually: "We couldn't copy the text. It's selected, so you can copy it yourself.",
  manageGift: 'Manage your recurring donation',
  processingTitle: 'Your donation is on its way',
  processingDescription: "Your bank will complete the payment in a few days. You're all set.",
  instructionsTitle: 'One last step: send your donation',
};

export type EntryTexts = typeof enEntry;
export type SubmissionTexts = typeof enSubmission;
export type SubmissionNotice = keyof SubmissionTexts['notices'];

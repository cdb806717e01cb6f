import type { DonorField } from '../donor/donor.ts';

/** What may happen to a gift as a whole. */
export type GiftNotice =
  | 'settings-changed'
  | 'card-incomplete'
  | 'card-failed'
  | 'card-declined'
  | 'not-confirmed'
  | 'not-charged'
  | 'no-answer'
  | 'offline'
  | 'too-many-requests'
  | 'form-outdated'
  | 'paused'
  | 'refused';

/**
 * A text that depends on a number, {count}: a form for each of the language's plural categories
 * that differ from `other`.
 */
export type Plural = { readonly other: string } & Readonly<
  Partial<Record<Exclude<Intl.LDMLPluralRule, 'other'>, string>>
>;

/**
 * The texts of the form from the moment that its button is pressed, in English. What stands in
 * braces is filled in; amounts arrive formatted.
 */
export const enSending = {
  problems: {
    one: 'One thing is missing or needs a correction.',
    other: '{count} things are missing or need a correction.',
  } as Plural,
  amountMissing: 'Choose or write an amount.',
  notAnAmount: 'Write the amount with digits, such as {example}.',
  tooSmall: 'The smallest gift here is {minimum}.',
  tooLarge: 'The largest gift here is {maximum}. For more, write to {contact}.',
  missing: {
    firstName: 'Write your first name.',
    lastName: 'Write your last name.',
    email: 'Write your e-mail address.',
    phone: 'Write your phone number.',
    address1: 'Write your address.',
    address2: 'Write the second line of your address.',
    city: 'Write your city.',
    state: 'Name your state or province.',
    postal: 'Write your postal code.',
    country: 'Choose your country.',
  } satisfies Record<DonorField, string>,
  cardNumber:
    'This looks like a card number. Please take it out: card details belong only into the payment field.',
  notAnEmail: 'Check the e-mail address; it should look like name@example.org.',

  /**
   * What happened to the gift as a whole, and what to do: {organization} is its name, {contact} its
   * e-mail address, {time} a time of day.
   */
  notices: {
    'settings-changed':
      'The page has changed this gift since you saw it. Please look it over and press the button again. Nothing was charged.',
    'card-incomplete': 'Check your payment details above.',
    'card-failed':
      'The payment processor did not answer. Nothing was charged. Try again in a moment.',
    'card-declined':
      'Your bank declined this card. Nothing was charged. Check the details, use another card, or ask your bank.',
    'not-confirmed':
      'The payment was not confirmed with your bank. Nothing was charged. Please try again, or use another card.',
    'not-charged': 'Nothing was charged. Please try again.',
    'no-answer':
      'We could not reach {organization}. Everything you typed is still here. Please press the button again: you are charged once at most.',
    offline:
      'You are offline. Everything you typed is still here. Press the button again when you are back online: you are charged once at most.',
    'too-many-requests':
      'Many people are giving right now. Everything you typed is still here. Please press the button again after {time}: you are charged once at most.',
    'form-outdated':
      'This form was changed while you filled it in. Please look over your gift and press the button again. Nothing was charged.',
    paused:
      '{organization} takes no gifts right now. Nothing was charged, and everything you typed is still here. Please try again later.',
    refused:
      'This gift was not accepted, and nothing was charged. Please write to {contact} so that it can be mended.',
  } satisfies Record<GiftNotice, string>,

  /** Stands in the place of the payment field. */
  hosted: 'You pay in the next step, on a secure page of the payment processor.',
  acting: 'Please confirm this payment with your bank',

  actionTitle: 'One more step',
  action: 'Nothing was charged yet: your bank, or the payment page, waits for you.',
  actionUnknown:
    'We could not reach {organization}, so we do not know whether you have paid. Please try again in a moment.',
  actionContinue: 'Continue',
  actionCancel: 'Do not give now',

  checkingTitle: 'We are checking your gift',
  checking:
    'The payment processor has not told us yet whether your payment went through. Please do not give again. This page shows the answer as soon as it is known; you may also close it.',
  reference: 'Reference',
  questions: 'Questions? Write to {contact} and name the reference.',
  /** Under an error: {request} is what the server's log calls it. */
  mention: 'If you write to us, please mention {request}.',

  thanksTitle: 'Thank you!',
  thanksTitleName: 'Thank you, {name}!',
  thanksFor: 'For:',
  earlierGift:
    'This is the gift that you had sent before. What you changed afterwards was not charged.',
  thanksCosts: '{amount} is your gift; {costs} covers the costs of the payment.',
  receipts: {
    platform: '{organization} sends your receipt by e-mail.',
    processor: 'The payment processor sends your receipt by e-mail.',
    none: 'Keep this page as your record: no receipt is sent by itself. {organization} writes one if you ask at {contact}.',
  },
  print: 'Print',
  share: 'Share',
  shareText: 'I gave to {organization}. Will you join me?',
  shared: 'The address of this page is copied.',
  manage: 'Change your card or end this gift at any time',
  pendingTitle: 'Your gift is on its way',
  pending:
    'Your bank has accepted it and pays within a few days. There is nothing more for you to do.',
  instructionsTitle: 'Thank you! Here is how to pay',
};

/** The texts that a language must have; one that is missing does not compile. */
export type SendingTexts = typeof enSending;

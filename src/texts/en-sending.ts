/** What may happen to a gift as a whole. */
export type GiftNotice = 'settings-changed' | 'card-incomplete' | 'card-failed' | 'card-declined' | 'not-charged' | 'no-answer' | 'definition-changed' | 'refused';

/** The texts of the form from the moment that it is sent, in English. Amounts arrive formatted. */
export const enSending = {
  /** What happened to the gift as a whole, and what to do. @param organization its name. @param contact its e-mail address. */
  notices: {
    'settings-changed': () => 'The page has changed this gift since you saw it. Please look it over and press the button again. Nothing was charged.',
    'card-incomplete': () => 'Check your card details above.',
    'card-failed': () => 'The card processor did not answer. Nothing was charged. Try again in a moment.',
    'card-declined': () => 'Your bank declined this card. Nothing was charged. Check the details, use another card, or ask your bank.',
    'not-charged': () => 'Your card was not charged. Please try again.',
    'no-answer': (organization) => `We could not reach ${organization}. Everything you typed is still here. Please press the button again: your card is charged once at most.`,
    'definition-changed': () => 'This form was changed while you filled it in. Please look over your gift and press the button again. Nothing was charged.',
    refused: (_organization, contact) => `This gift was not accepted, and nothing was charged. Please write to ${contact} so that it can be mended.`,
  } satisfies Record<GiftNotice, (organization: string, contact: string) => string> as Record<GiftNotice, (organization: string, contact: string) => string>,

  checkingTitle: 'We are checking your gift',
  checking: 'The card processor has not told us yet whether your payment went through. Please do not give again. This page shows the answer as soon as it is known; you may also close it.',
  reference: 'Reference',
  questions: (contact: string) => `Questions? Write to ${contact} and name the reference.`,

  thanksTitle: (name: string | undefined) => (name ? `Thank you, ${name}!` : 'Thank you!'),
  thanksFor: 'For',
  earlierGift: 'This is the gift that you had sent before. What you changed afterwards was not charged.',
  thanksCosts: (amount: string, costs: string) => `${amount} is your gift; ${costs} covers the costs of the payment.`,
};

/** The texts that a language must have; one that is missing does not compile. */
export type SendingTexts = typeof enSending;

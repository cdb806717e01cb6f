import type Stripe from 'stripe';

type CheckoutLocale = NonNullable<Stripe.Checkout.SessionCreateParams['locale']>;

/**
 * Stripe Checkout's locales, keyed by form language. Omits languages that Checkout does not
 * support.
 */
const CHECKOUT_LOCALES: Readonly<Record<string, CheckoutLocale>> = {
  en: 'en',
  'en-GB': 'en-GB',
  de: 'de',
  es: 'es',
  fr: 'fr',
  hi: 'hi-IN',
  it: 'it',
  ja: 'ja',
  nl: 'nl',
  pl: 'pl',
  'pt-BR': 'pt-BR',
  sv: 'sv',
  tr: 'tr',
  'zh-Hans': 'zh',
};

/**
 * Returns Stripe Checkout's locale for a language, or `auto`, which uses the browser's language.
 */
export function getCheckoutLocale(language: string): CheckoutLocale {
  return CHECKOUT_LOCALES[language] ?? 'auto';
}

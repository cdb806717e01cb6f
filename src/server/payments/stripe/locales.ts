import type Stripe from 'stripe';

type CheckoutLocale = NonNullable<Stripe.Checkout.SessionCreateParams['locale']>;

/** Stripe Checkout's locales for the form's languages, where available. */
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

/** Returns the Checkout page's locale, or `auto` to use the browser's language. */
export function getCheckoutLocale(language: string): CheckoutLocale {
  return CHECKOUT_LOCALES[language] ?? 'auto';
}

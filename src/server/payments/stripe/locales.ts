import type Stripe from 'stripe';

type CheckoutLocale = NonNullable<Stripe.Checkout.SessionCreateParams['locale']>;

/** The form's languages in which Stripe Checkout is available. */
const CHECKOUT_LOCALES: Readonly<Record<string, CheckoutLocale>> = {
  en: 'en',
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

/** Returns the language of the Checkout page. `auto` is the browser's language. */
export function getCheckoutLocale(language: string): CheckoutLocale {
  return CHECKOUT_LOCALES[language] ?? 'auto';
}

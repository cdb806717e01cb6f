/**
 * PayPal's locales, keyed by form language. For other languages, PayPal chooses the locale.
 * @see https://developer.paypal.com/api/rest/reference/locale-codes/
 */
const LOCALES: Readonly<Record<string, string>> = {
  en: 'en-US',
  'en-GB': 'en-GB',
  de: 'de-DE',
  es: 'es-ES',
  fr: 'fr-FR',
  he: 'he-IL',
  it: 'it-IT',
  ja: 'ja-JP',
  nl: 'nl-NL',
  pl: 'pl-PL',
  'pt-BR': 'pt-BR',
  sv: 'sv-SE',
  'zh-Hans': 'zh-CN',
};

/** Returns PayPal's locale for a form language, or `undefined` if PayPal has no such locale. */
export function getPayPalLocale(language: string): string | undefined {
  return LOCALES[language];
}

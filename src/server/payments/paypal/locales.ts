/**
 * PayPal's locales, by the form's language. For other languages, PayPal chooses the locale.
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

/** Returns PayPal's locale for a language of the form, or `undefined` if PayPal has none. */
export function getPayPalLocale(language: string): string | undefined {
  return LOCALES[language];
}

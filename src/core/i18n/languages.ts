/** BCP 47 tags of the form's languages. The first is the default. */
export const LANGUAGES = [
  'en',
  'en-GB',
  'es',
  'fr',
  'de',
  'it',
  'pt-BR',
  'nl',
  'pl',
  'sv',
  'tr',
  'uk',
  'ar',
  'he',
  'hi',
  'zh-Hans',
  'ja',
] as const;
export type Language = (typeof LANGUAGES)[number];

export function getTextDirection(language: Language): 'ltr' | 'rtl' {
  return ['ar', 'he'].includes(language) ? 'rtl' : 'ltr';
}

/** Traditional Chinese, whose readers mostly prefer English to Simplified Chinese. */
const TRADITIONAL_CHINESE = /^zh-(hant|tw|hk|mo)/;

/** Finds the language for a BCP 47 tag: `de` for `de-AT`, `pt-BR` for `pt`. */
export function findLanguage(tag: string): Language | undefined {
  const requested = tag.trim().toLowerCase().replaceAll('_', '-');
  if (TRADITIONAL_CHINESE.test(requested)) return undefined;
  const getPrimarySubtag = (name: string): string => name.split('-')[0]!;
  return (
    LANGUAGES.find((language) => language.toLowerCase() === requested) ??
    LANGUAGES.find((language) => getPrimarySubtag(language) === getPrimarySubtag(requested))
  );
}

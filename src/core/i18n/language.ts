/** The languages that the form speaks, BCP 47; the first is the default. */
export const LANGUAGES = [
  'en',
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

/** Written in another script than ours: no words of ours are better than these. */
const OTHER_SCRIPT = /^zh[-_](hant|tw|hk|mo)/;

/**
 * The language that a tag asks for: `de-AT` is served by `de`, `pt` by `pt-BR`.
 * @param tag BCP 47, in any case.
 * @returns `undefined` where the form does not speak it.
 */
export function languageOf(tag: string): Language | undefined {
  const given = tag.trim().toLowerCase();
  const primary = (name: string): string => name.split(/[-_]/)[0]!;
  return OTHER_SCRIPT.test(given)
    ? undefined
    : LANGUAGES.find((language) => primary(language) === primary(given));
}

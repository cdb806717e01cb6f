/** The languages that the form speaks, BCP 47; the first is the default. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt-BR', 'nl', 'pl', 'sv', 'tr', 'uk', 'ar', 'he', 'hi', 'zh-Hans', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Languages that other tags mean: Chinese without a script is written in the simplified one where most read it. */
const MEANT: ReadonlyMap<string, Language> = new Map([['iw', 'he'], ['pt', 'pt-BR'], ['zh', 'zh-Hans'], ['zh-cn', 'zh-Hans'], ['zh-sg', 'zh-Hans']]);
/** Written in another script than ours: no words of ours are better than these. */
const OTHER_SCRIPT = /^zh-(hant|tw|hk|mo)/;

/** The language that a tag asks for: `de-AT` is served by `de`. @param tag BCP 47, in any case. @returns `undefined` where the form does not speak it. */
export function languageOf(tag: string): Language | undefined {
  const given = tag.trim().toLowerCase().replaceAll('_', '-'), [primary = ''] = given.split('-');
  if (OTHER_SCRIPT.test(given)) return undefined;
  return LANGUAGES.find((language) => language.toLowerCase() === given) ?? MEANT.get(given) ?? MEANT.get(primary) ?? LANGUAGES.find((language) => language === primary);
}

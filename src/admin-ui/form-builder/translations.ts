import type { Language } from '@donation-form/core/i18n';
import { valueAt, withValue, type Json } from './file.ts';

/**
 * An operator's words in a language, as they were written for it.
 * @param words one text, which counts as English here, or texts by language.
 */
export function wordsIn(words: Json | undefined, language: Language): string {
  if (typeof words === 'string') return language === 'en' ? words : '';
  const text = valueAt(words, language);
  return typeof text === 'string' ? text : '';
}

/** What a form shows in a language: its own words, else the English ones, else the first. */
export function wordsShown(words: Json | undefined, language: Language): string {
  if (typeof words === 'string') return words;
  const [first] = Object.values(
    typeof words === 'object' && words !== null ? (words as Readonly<Record<string, Json>>) : {},
  );
  return (
    wordsIn(words, language) || wordsIn(words, 'en') || (typeof first === 'string' ? first : '')
  );
}

/**
 * Words with those of one language changed; those of the others stay, and one text for all becomes
 * the English one.
 * @param text empty: those of this language are taken out.
 * @returns `undefined` where none are left.
 */
export function withWords(
  words: Json | undefined,
  language: Language,
  text: string,
): Json | undefined {
  const isByLanguage = typeof words === 'object' && words !== null;
  if (!isByLanguage && language === 'en') return text || undefined;
  const before = isByLanguage ? words : asEnglish(words);
  const after = withValue(before, language, text || undefined);
  return Object.keys(after as object).length > 0 ? after : undefined;
}

/** One text for all languages, as texts by language. */
function asEnglish(words: Json | undefined): Json {
  return typeof words === 'string' && words !== '' ? { en: words } : {};
}

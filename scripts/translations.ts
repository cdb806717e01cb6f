/** Reads the form's translations, which may lack texts, and completes them with English texts. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Rolldown } from 'vite';
import { en } from '../src/core/i18n/en.ts';
import { LANGUAGES } from '../src/core/i18n/languages.ts';

/** A text, the forms of a plural, or texts by key. */
type Texts = string | { readonly [key: string]: Texts };

const LOCALES = 'src/core/i18n/locales';
const PLURAL_CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** The languages that have a translation file. */
export const TRANSLATED_LANGUAGES = LANGUAGES.filter((language) => language !== 'en');

/** Languages that need every text. `en-GB` has only the texts that differ from American English. */
export const FOREIGN_LANGUAGES = TRANSLATED_LANGUAGES.filter((language) => language !== 'en-GB');

type TranslatedLanguage = (typeof TRANSLATED_LANGUAGES)[number];

function isTextOrPlural(texts: Texts): texts is string | Readonly<Record<string, string>> {
  return (
    typeof texts === 'string' || Object.keys(texts).every((key) => PLURAL_CATEGORIES.includes(key))
  );
}

function readTranslation(language: TranslatedLanguage): Texts {
  return JSON.parse(readFileSync(`${LOCALES}/${language}.json`, 'utf8')) as Texts;
}

/** Returns the translation as JSON, with English texts for the keys that it lacks. */
export function completeTranslation(language: TranslatedLanguage): string {
  return JSON.stringify(addMissingTexts(readTranslation(language), en));
}

/** Returns a translation with the English texts that it lacks. A plural is replaced as a whole. */
export function addMissingTexts(translated: Texts | undefined, english: Texts): Texts {
  if (translated === undefined) return english;
  if (typeof translated === 'string' || isTextOrPlural(english)) return translated;
  return Object.fromEntries(
    Object.entries(english).map(([key, texts]) => [key, addMissingTexts(translated[key], texts)]),
  );
}

/** An English text that some languages lack. */
interface UntranslatedText {
  /** The path in the language files, such as `form.fields.city`. */
  readonly path: string;
  readonly text: string;
  readonly languages: string[];
}

/** Lists the texts that a language lacks, with those languages. */
export function listUntranslatedTexts(): UntranslatedText[] {
  const untranslated = new Map<string, UntranslatedText>();
  for (const language of FOREIGN_LANGUAGES)
    for (const [path, text] of findMissingTexts(readTranslation(language), en)) {
      const entry = untranslated.get(path) ?? { path, text, languages: [] };
      entry.languages.push(language);
      untranslated.set(path, entry);
    }
  return [...untranslated.values()];
}

function findMissingTexts(
  translated: Texts | undefined,
  english: Texts,
  path: readonly string[] = [],
): [path: string, text: string][] {
  if (isTextOrPlural(english))
    return translated === undefined
      ? [[path.join('.'), typeof english === 'string' ? english : english.other!]]
      : [];
  const translatedTexts = typeof translated === 'object' ? translated : {};
  return Object.entries(english).flatMap(([key, texts]) =>
    findMissingTexts(translatedTexts[key], texts, [...path, key]),
  );
}

/** Completes the translations that a bundle imports. */
export const englishFallback: Rolldown.Plugin = {
  name: 'english-fallback',
  load(id) {
    if (!/\/i18n\/locales\/[\w-]+\.json$/.test(id)) return null;
    const language = basename(id, '.json') as TranslatedLanguage;
    return { code: completeTranslation(language), moduleType: 'json' };
  },
};

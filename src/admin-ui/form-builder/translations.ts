import type { Language } from '@donation-form/core/i18n';
import { getValueAtPath, type Json, replaceValueAtPath } from './config-path.ts';

/**
 * Returns the text entered for a language, or an empty string if there is none.
 * @param texts one text, which counts as English here, or an object with texts by language.
 */
export function getTranslation(texts: Json | undefined, language: Language): string {
  if (typeof texts === 'string') return language === 'en' ? texts : '';
  const text = getValueAtPath(texts, language);
  return typeof text === 'string' ? text : '';
}

/**
 * Returns the text that the form shows for a language. Falls back to English, then to the first
 * text.
 */
export function getDisplayedText(texts: Json | undefined, language: Language): string {
  if (typeof texts === 'string') return texts;
  const [first] = Object.values(
    typeof texts === 'object' && texts !== null ? (texts as Readonly<Record<string, Json>>) : {},
  );
  return (
    getTranslation(texts, language) ||
    getTranslation(texts, 'en') ||
    (typeof first === 'string' ? first : '')
  );
}

/**
 * Replaces the text of one language. A single text for all languages becomes the English text.
 * @param text new text, or an empty string to remove the translation.
 * @returns `undefined` if no text remains.
 */
export function replaceTranslation(
  texts: Json | undefined,
  language: Language,
  text: string,
): Json | undefined {
  const isByLanguage = typeof texts === 'object' && texts !== null;
  if (!isByLanguage && language === 'en') return text || undefined;
  const translations = replaceValueAtPath(
    isByLanguage ? texts : toTranslations(texts),
    language,
    text || undefined,
  );
  return Object.keys(translations as object).length > 0 ? translations : undefined;
}

function toTranslations(texts: Json | undefined): Json {
  return typeof texts === 'string' && texts !== '' ? { en: texts } : {};
}

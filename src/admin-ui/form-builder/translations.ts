import type { Language } from '@donation-form/core/i18n';
import { isJsonObject, type Json, readConfigValue, replaceValueAtPath } from './config-path.ts';

/** Returns the text entered for a language, or an empty string. One text counts as English here. */
export function getTranslation(texts: Json | undefined, language: Language): string {
  if (typeof texts === 'string') return language === 'en' ? texts : '';
  const text = readConfigValue(texts, language);
  return typeof text === 'string' ? text : '';
}

/** Returns the text that the form shows for a language: its own, the English, or the first. */
export function getDisplayedText(texts: Json | undefined, language: Language): string {
  if (typeof texts === 'string') return texts;
  const [first] = Object.values(isJsonObject(texts) ? texts : {});
  return (
    getTranslation(texts, language) ||
    getTranslation(texts, 'en') ||
    (typeof first === 'string' ? first : '')
  );
}

/** Replaces or removes the text of one language. Returns `undefined` if no text remains. */
export function replaceTranslation(
  texts: Json | undefined,
  language: Language,
  text: string,
): Json | undefined {
  const isByLanguage = isJsonObject(texts);
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

import { importTranslation, type Language, type Translation } from '@donation-form/core/i18n';

/** Returns `undefined` for English, which the script already contains. */
export async function loadTranslation(language: Language): Promise<Translation | undefined> {
  return language === 'en' ? undefined : await importTranslation(language);
}

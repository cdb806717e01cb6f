import type { Language } from '@donation-form/core/i18n';

/** Formats a day in words, such as “November 30, 2026”. @param time in milliseconds since 1970. */
export function formatDayInWords(time: number, language: Language, timeZone: string): string {
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeZone,
    numberingSystem: 'latn',
  }).format(time);
}

/** Languages that write only the first day of a month as an ordinal number. */
const FIRST_DAYS: Readonly<Record<string, string>> = { fr: '1er', it: '1º', pt: '1º' };

/** Formats a date: `1er` or `1er février` in French on the first day of a month. */
export function formatDate(
  date: Date,
  language: string,
  options: Intl.DateTimeFormatOptions,
): string {
  const [baseLanguage = ''] = language.split('-');
  return date
    .toLocaleDateString(language, options)
    .replace(/^1(?= |$)/, FIRST_DAYS[baseLanguage] ?? '1');
}

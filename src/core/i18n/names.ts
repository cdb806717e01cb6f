import { english } from './english.ts';

/** How a language is written; none of these is a text. */
const FORMATS: readonly string[] = ['direction', 'decimalMark', 'groupMark', 'money'];

/**
 * Every text of the form in English, by the name under which an organisation replaces it: `donor`,
 * `fields.firstName`, `problems.one`.
 */
export const ENGLISH_TEXTS: ReadonlyMap<string, string> = new Map(
  [english.form, english.sending, english.more, english.address]
    .flatMap((table) => textsOf(table))
    .filter(([name]) => !FORMATS.includes(name)),
);

function textsOf(table: object, before = ''): [name: string, text: string][] {
  return Object.entries(table).flatMap(([name, text]: [string, unknown]) =>
    typeof text === 'string'
      ? [[before + name, text]]
      : textsOf(text as object, `${before}${name}.`),
  );
}

const plural = /\.(zero|one|two|few|many|other)$/;

/** The English text that a name stands for; other languages have more plural forms. */
export function englishText(name: string): string | undefined {
  return (
    ENGLISH_TEXTS.get(name) ??
    (plural.test(name) ? ENGLISH_TEXTS.get(name.replace(plural, '.other')) : undefined)
  );
}

/** What a text fills in, with its braces. */
export function placeholdersOf(text: string): string[] {
  return [...new Set(text.match(/\{\w*\}/g))];
}

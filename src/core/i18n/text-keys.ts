import { en } from './en.ts';

const FORMAT_KEYS: readonly string[] = ['decimalSeparator', 'groupSeparator', 'currencyPattern'];

const PLURAL_FORM = /\.(zero|one|two|few|many|other)$/;

/** English texts by key, such as `donor`, `fields.firstName`, and `errorSummary.one`. */
export const ENGLISH_TEXTS: ReadonlyMap<string, string> = new Map(
  Object.values(en)
    .flatMap((texts: object) => flattenTexts(texts))
    .filter(([key]) => !FORMAT_KEYS.includes(key)),
);

function flattenTexts(texts: object, prefix = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, text]: [string, unknown]) =>
    typeof text === 'string'
      ? [[prefix + key, text]]
      : flattenTexts(text as object, `${prefix}${key}.`),
  );
}

/** Returns the English text. For plural forms that English lacks, returns its `other` form. */
export function findEnglishText(key: string): string | undefined {
  return (
    ENGLISH_TEXTS.get(key) ??
    (PLURAL_FORM.test(key) ? ENGLISH_TEXTS.get(key.replace(PLURAL_FORM, '.other')) : undefined)
  );
}

export function listPlaceholders(text: string): string[] {
  return [...new Set(text.match(/\{\w*\}/g))];
}

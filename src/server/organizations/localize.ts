import { type Language, LANGUAGES } from '@donation-form/core/i18n';
import { LARGEST_AMOUNT, majorUnits, parseAmount, type Currency } from '@donation-form/core/money';
import type { Words } from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';

/** An operator's words in a language. */
export type Say = (words: Words) => string;

/** In English where the language is not given, else in the first that is. */
export function sayIn(language: Language): Say {
  return (words) =>
    typeof words === 'string' ? words : (words[language] ?? words.en ?? Object.values(words)[0]!);
}

/** An operator's words in every language. */
export function localizeAll(words: Words): Record<Language, string> {
  return Object.fromEntries(
    LANGUAGES.map((language) => [language, sayIn(language)(words)]),
  ) as Record<Language, string>;
}

/** @returns minor units. @throws {ConfigurationError} */
export function readAmount(written: string, { code, decimals }: Currency, at: string): number {
  const amount = Number(written) === 0 ? 0 : parseAmount(written, { code, decimals });
  if (amount === undefined)
    throw new ConfigurationError(
      `${at}: found ${JSON.stringify(written)}, expected an amount in ${code} with ${decimals} decimals at most and no more than ${majorUnits(LARGEST_AMOUNT, decimals)}`,
    );
  return amount;
}

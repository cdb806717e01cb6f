import { type Language, LANGUAGES } from '@donation-form/core/i18n';
import { type Currency, MAX_AMOUNT, parseAmount, toMajorUnits } from '@donation-form/core/money';
import type { LocalizedText } from '@donation-form/core/schemas';
import { ConfigurationError } from './configuration-error.ts';

export type Localize = (text: LocalizedText) => string;

/** Falls back to English, and then to the first configured language. */
export function createLocalizer(language: Language): Localize {
  return (text) =>
    typeof text === 'string' ? text : (text[language] ?? text.en ?? Object.values(text)[0]!);
}

export function localizeInEachLanguage(text: LocalizedText): Record<Language, string> {
  return Object.fromEntries(
    LANGUAGES.map((language) => [language, createLocalizer(language)(text)]),
  ) as Record<Language, string>;
}

/**
 * @returns minor units.
 * @throws {ConfigurationError} if the amount is invalid.
 */
export function parseConfiguredAmount(
  input: string,
  { code, decimals }: Currency,
  at: string,
): number {
  const amount = Number(input) === 0 ? 0 : parseAmount(input, { code, decimals });
  if (amount === undefined)
    throw new ConfigurationError(
      `${at}: found ${JSON.stringify(input)}; expected an amount in ${code} of at most ` +
        `${toMajorUnits(MAX_AMOUNT, decimals)}, with at most ${decimals} decimal places`,
    );
  return amount;
}

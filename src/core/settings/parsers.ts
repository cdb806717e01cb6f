import { DONATION_FREQUENCIES, type DonationFrequency } from '../donation/frequency.ts';
import { cleanLine } from '../donor/donor.ts';
import type { IgnoreReason } from './ignore-reason.ts';

/** A parsed value, or the reason for ignoring it. */
export type ParseResult<Value> =
  | {
      readonly value: Value;
      readonly itemErrors?: readonly ItemError[];
    }
  | { readonly reason: IgnoreReason };

/** An ignored part of a value, with its position, such as `[2]`. */
export interface ItemError {
  readonly position: string;
  readonly value: unknown;
  readonly reason: IgnoreReason;
}

/** Converts a string, number, or boolean to trimmed text, and other values to an empty string. */
export function toTrimmedText(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}

export function findOfferedItem<Item>(
  items: readonly Item[],
  matches: (item: Item) => boolean,
): ParseResult<Item> {
  const value = items.find(matches);
  return value === undefined ? { reason: 'not-offered' } : { value };
}

/** Cleans text, and rejects the replacement character, which marks text in a wrong encoding. */
export function parseText(
  value: unknown,
  maxLength: number,
  clean = cleanLine,
): ParseResult<string> {
  if (typeof value !== 'string' && typeof value !== 'number') return { reason: 'invalid' };
  const text = clean(String(value));
  if (text.length > maxLength) return { reason: 'too-long' };
  return text === '' || text.includes('\ufffd') ? { reason: 'invalid' } : { value: text };
}

/** Synonyms that the form accepts for the specification's frequencies (rule 28). */
const FREQUENCY_SYNONYMS: Readonly<Record<string, string>> = {
  'one-time': 'once',
  onetime: 'once',
  single: 'once',
  yearly: 'annually',
  annual: 'annually',
};

export function parseFrequency(
  value: unknown,
  offered: readonly DonationFrequency[],
): ParseResult<DonationFrequency> {
  const text = toTrimmedText(value).toLowerCase();
  const name = Object.hasOwn(FREQUENCY_SYNONYMS, text) ? FREQUENCY_SYNONYMS[text]! : text;
  if (!DONATION_FREQUENCIES.some((frequency) => frequency.toLowerCase() === name))
    return { reason: 'invalid' };
  return findOfferedItem(offered, (frequency) => frequency.toLowerCase() === name);
}

export function parseBoolean(value: unknown): ParseResult<boolean> {
  const text = toTrimmedText(value).toLowerCase();
  return text === 'true' || text === 'false' ? { value: text === 'true' } : { reason: 'invalid' };
}

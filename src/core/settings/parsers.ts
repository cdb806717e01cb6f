import { cleanLine } from '../donor/donor.ts';
import { GIFT_FREQUENCIES, type GiftFrequency } from '../donation/frequency.ts';
import type { IgnoreReason } from './ignore-reason.ts';

/** A value that was read, or the reason why it was not. */
export type Reading<Value> =
  | { readonly value: Value; /** What of it was left out. */ readonly faults?: readonly Fault[] }
  | { readonly reason: IgnoreReason };

/** A part of a value that does not count, by its place in it, such as `[2]`. */
export interface Fault {
  readonly at: string;
  readonly value: unknown;
  readonly reason: IgnoreReason;
}

/**
 * A value of an address or a setting as a word; anything that is neither text, number nor boolean
 * is none.
 */
export function wordOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}

export function among<Item>(items: readonly Item[], fits: (item: Item) => boolean): Reading<Item> {
  const value = items.find(fits);
  return value === undefined ? { reason: 'not-offered' } : { value };
}

/** @param length in characters. */
export function readText(value: unknown, length: number, clean = cleanLine): Reading<string> {
  if (typeof value !== 'string' && typeof value !== 'number') return { reason: 'invalid' };
  const text = clean(String(value));
  if (text.length > length) return { reason: 'too-long' };
  return text === '' ? { reason: 'invalid' } : { value: text };
}

/** Words that links use for the specification's own (rule 28). */
const TOLERATED: Readonly<Record<string, string>> = {
  'one-time': 'once',
  onetime: 'once',
  single: 'once',
  yearly: 'annually',
  annual: 'annually',
};

export function readFrequency(
  value: unknown,
  offered: readonly GiftFrequency[],
): Reading<GiftFrequency> {
  const given = wordOf(value).toLowerCase();
  const word = Object.hasOwn(TOLERATED, given) ? TOLERATED[given]! : given;
  if (!GIFT_FREQUENCIES.some((frequency) => frequency.toLowerCase() === word))
    return { reason: 'invalid' };
  return among(offered, (frequency) => frequency.toLowerCase() === word);
}

export function readBoolean(value: unknown): Reading<boolean> {
  const word = wordOf(value).toLowerCase();
  return word === 'true' || word === 'false' ? { value: word === 'true' } : { reason: 'invalid' };
}

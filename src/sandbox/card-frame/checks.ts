import type { Words } from './words.ts';

/** The ways to pay, and the fields of each. */
export const FIELDS = { card: ['number', 'expiry', 'cvc'], bank: ['account', 'routing'] } as const;

export type Way = keyof typeof FIELDS;
export type FieldName = (typeof FIELDS)[Way][number];

export function digitsOf(written: string): string {
  return written.replace(/\D/g, '');
}

/**
 * The name of the words that say what is wrong with what was written into a field; `undefined`
 * where nothing is.
 */
export function problemOf(name: FieldName, written: string): keyof Words | undefined {
  const digits = digitsOf(written);
  if (name === 'number') return digits.length < 12 || !passesLuhn(digits) ? 'badNumber' : undefined;
  if (name === 'cvc') return /^\d{3,4}$/.test(digits) ? undefined : 'badCvc';
  if (name === 'account') return /^\d{8,17}$/.test(digits) ? undefined : 'badAccount';
  if (name === 'routing') return /^(\d{6}|\d{9})$/.test(digits) ? undefined : 'badRouting';
  const [month, year] = [Number(digits.slice(0, 2)), Number(digits.slice(-2))];
  if (!/^\d{4}$|^\d{6}$/.test(digits) || month < 1 || month > 12) return 'badExpiry';
  return new Date(2000 + year, month) <= new Date() ? 'expired' : undefined;
}

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

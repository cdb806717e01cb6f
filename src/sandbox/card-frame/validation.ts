import type { Messages } from './translations.ts';

/** Payment methods and their fields. */
export const FIELDS = { card: ['number', 'expiry', 'cvc'], bank: ['account', 'routing'] } as const;

export type Method = keyof typeof FIELDS;
export type FieldName = (typeof FIELDS)[Method][number];

export function extractDigits(text: string): string {
  return text.replace(/\D/g, '');
}

/**
 * Validates a field. Returns the name of the error message, or `undefined` if the value is valid.
 */
export function validateField(name: FieldName, text: string): keyof Messages | undefined {
  const digits = extractDigits(text);
  if (name === 'number')
    return digits.length < 12 || !passesLuhn(digits) ? 'invalidNumber' : undefined;
  if (name === 'cvc') return /^\d{3,4}$/.test(digits) ? undefined : 'invalidCvc';
  if (name === 'account') return /^\d{8,17}$/.test(digits) ? undefined : 'invalidAccount';
  if (name === 'routing') return /^(\d{6}|\d{9})$/.test(digits) ? undefined : 'invalidRouting';
  const [month, year] = [Number(digits.slice(0, 2)), Number(digits.slice(-2))];
  if (!/^\d{4}$|^\d{6}$/.test(digits) || month < 1 || month > 12) return 'invalidExpiry';
  return new Date(2000 + year, month) <= new Date() ? 'cardExpired' : undefined;
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

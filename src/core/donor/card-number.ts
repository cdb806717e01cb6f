import { plainDigits } from '../money/money.ts';

/**
 * Digits that stand together, or apart by what people put between groups: blanks and line breaks of
 * every kind, and one mark.
 */
const run = /(?<!\d)\d(?:\s{0,2}[./_\-\u2010-\u2015]?\s{0,2}\d){12,18}(?!\d)/g;

/**
 * Whether a text holds what may be a card number: 13 to 19 digits that begin as cards of the large
 * networks do and pass the check sum of card numbers.
 */
export function hasCardNumber(text: string): boolean {
  return [...plainDigits(text).matchAll(run)].some(([found]) => {
    const digits = found.replace(/\D/g, '');
    return /^(?:[3-6]|2[2-7])/.test(digits) && passesLuhn(digits);
  });
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

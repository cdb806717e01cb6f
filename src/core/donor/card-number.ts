import { normalizeDigits } from '../money/money.ts';

const MIN_LENGTH = 13;

/** Matches 13 to 19 digits. Whitespace and one punctuation mark can separate adjacent digits. */
const cardNumberPattern = /(?<!\d)\d(?:\s{0,2}[./_\-\u2010-\u2015]?\s{0,2}\d){12,18}(?!\d)/g;

/** Returns true for 13 to 19 digits with a major network's prefix and a valid check digit. */
export function containsCardNumber(text: string): boolean {
  if (text.length < MIN_LENGTH) return false;
  return [...normalizeDigits(text).matchAll(cardNumberPattern)].some(([match]) => {
    const digits = match.replace(/\D/g, '');
    return /^(?:[3-6]|2[2-7])/.test(digits) && passesLuhn(digits);
  });
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of Object.entries(digits.split('').reverse())) {
    const value = Number(digit) * (Number(index) % 2 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

import { plainNumber } from '../money/money.ts';

/**
 * What is expected in the place of a text that is no amount: the amount as it is to be written,
 * where it can be guessed.
 */
export function amountExpectation(text: string): string {
  return numberExpectation(text) ?? 'expected an amount such as 25 or 0.30';
}

/** What is expected in the place of a text that is no percentage up to the most. */
export function percentExpectation(text: string, most: number): string {
  if (Number(readingOf(text)) > most) return `expected ${most} percent at most`;
  return numberExpectation(text) ?? 'expected a percentage such as 2.9, with two decimals at most';
}

/** What is expected in the place of a text that is no origin. */
export function originExpectation(text: string): string {
  if (/\S[\s,;]+\S/.test(text))
    return 'expected one site alone, and every other as an entry (a line) of its own';
  if (!/^\s*https?:\/\//i.test(text))
    return 'expected https:// at its beginning, such as https://example.org';
  if (!URL.canParse(text)) return 'expected an origin such as https://example.org';
  const { origin } = new URL(text);
  return `expected ${origin}, ${differenceOf(text, origin)}`;
}

/** What somebody meant who wrote a number with commas, spaces, quotes or a sign. */
function readingOf(text: string): string | undefined {
  return plainNumber(text.replaceAll(/["'“”%]|\p{Sc}|[A-Z]{3}/gu, ''));
}

function numberExpectation(text: string): string | undefined {
  const number = readingOf(text);
  if (number === undefined || number === text) return undefined;
  if (!number.includes('.')) return `expected ${number}, in digits alone`;
  return `expected ${number}, ${/^\d+,\d+$/.test(text) ? 'with a point in the place of the comma' : 'in digits with a point before the decimals'}`;
}

function differenceOf(text: string, origin: string): string {
  if (text === `${origin}/`) return 'without the slash at its end';
  if (text.toLowerCase() === origin) return 'in small letters';
  return text.toLowerCase().startsWith(origin)
    ? 'without anything behind it'
    : 'as browsers write it';
}

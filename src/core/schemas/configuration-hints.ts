import { normalizeNumber } from '../money/money.ts';

/** Describes the expected amount, and suggests a correction of the invalid `text` if possible. */
export function describeExpectedAmount(text: string): string {
  return describeExpectedNumber(text) ?? 'expected an amount such as 25 or 0.30';
}

export function describeExpectedPercent(text: string, maximum: number): string {
  if (Number(parseIntendedNumber(text)) > maximum) return `expected at most ${maximum} percent`;
  return (
    describeExpectedNumber(text) ??
    'expected a percentage such as 2.9, with at most two decimal places'
  );
}

export function describeExpectedOrigin(text: string): string {
  if (/\S[\s,;]+\S/.test(text)) return 'expected only one origin in each list entry';
  if (/^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(text) && URL.canParse(`https://${text}`))
    return `expected ${new URL(`https://${text}`).origin}, with https:// and without a path`;
  if (!/^\s*https?:\/\//i.test(text))
    return 'expected an origin that starts with https://, such as https://example.org';
  if (!URL.canParse(text)) return 'expected an origin such as https://example.org';
  const { origin } = new URL(text);
  return `expected ${origin}, ${describeOriginCorrection(text, origin)}`;
}

/** Extracts a number from text with commas, spaces, quotes, or a currency. */
function parseIntendedNumber(text: string): string | undefined {
  return normalizeNumber(text.replaceAll(/["'“”%]|\p{Sc}|[A-Z]{3}/gu, ''));
}

function describeExpectedNumber(text: string): string | undefined {
  const number = parseIntendedNumber(text);
  if (number === undefined || number === text) return undefined;
  if (!number.includes('.')) return `expected ${number}, with digits only`;
  return (
    `expected ${number}, ` +
    (/^\d+,\d+$/.test(text)
      ? 'with a decimal point instead of a comma'
      : 'with digits and a decimal point only')
  );
}

function describeOriginCorrection(text: string, origin: string): string {
  if (text === `${origin}/`) return 'without the trailing slash';
  if (text.toLowerCase() === origin) return 'in lowercase';
  return text.toLowerCase().startsWith(origin)
    ? 'without a path, query, or fragment'
    : 'in the format that browsers send';
}

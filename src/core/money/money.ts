/** Parses and formats money. All other code uses integers in minor units (such as cents). */

/** Minor units. Keeps sums of amounts in the range of safe integers. */
export const MAX_AMOUNT = 100_000_000_000;

export interface Currency {
  readonly code: string;
  readonly decimals: number;
}

const amountPattern = /^(\d{1,12})(?:\.(\d+))?$/;

/**
 * Parses an amount from a link or a setting, such as `75`, `75.5`, or `$75.50`. Rejects commas,
 * exponents, zero, symbols of other currencies, and more decimal places than the currency has.
 */
export function parseAmount(text: string, { code, decimals }: Currency): number | undefined {
  const [, whole, fraction = ''] = amountPattern.exec(stripCurrencySymbol(text, code)) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  const minor = Number(whole + fraction.padEnd(decimals, '0'));
  return minor > 0 && minor <= MAX_AMOUNT ? minor : undefined;
}

const groupedDigitsPattern = /^[1-9]\d{0,2}([.,\s'’])(?:\d{2,3}\1)*\d{3}$/;

export interface AmountNotation {
  /** Default: `.` */
  readonly decimalSeparator?: string | undefined;
  /** Without it, only numbers are valid. */
  readonly removeCurrencySigns?: ((typed: string, code: string) => string) | undefined;
}

/** Parses an amount that a donor typed, in any format that {@link normalizeNumber} accepts. */
export function parseTypedAmount(
  typed: string,
  currency: Currency,
  { decimalSeparator, removeCurrencySigns }: AmountNotation,
): number | undefined {
  const amount = removeCurrencySigns?.(typed, currency.code) ?? typed;
  return parseAmount(normalizeNumber(amount, decimalSeparator) ?? '', currency);
}

/**
 * Converts a typed number: `1.250,5` becomes `1250.5`. A single mark before exactly three digits
 * (`1.000`) separates groups, unless it is the language's decimal separator.
 */
export function normalizeNumber(typed: string, decimalSeparator = '.'): string | undefined {
  const plain = normalizeDigits(typed).trim();
  const [, whole = plain, mark = '', fraction = ''] = /^(.*)([.,])(\d*)$/.exec(plain) ?? [];
  const isGroup =
    whole.includes(mark) ||
    (/^[1-9]\d*$/.test(whole) && fraction.length === 3 && mark !== decimalSeparator);
  const units = mark && isGroup ? plain : whole;
  if (!/\d/.test(plain) || !(/^\d*$/.test(units) || groupedDigitsPattern.test(units)))
    return undefined;
  return `${units.replace(/\D/g, '') || 0}${mark && !isGroup && fraction ? `.${fraction}` : ''}`;
}

/** Superscript digits remain, because `$5⁰⁰` is not 500. */
export function normalizeDigits(text: string): string {
  return text
    .replace(/\P{No}+/gu, (part) => part.normalize('NFKC').replace(/\p{Cf}/gu, ''))
    .replace(/[٠-٩۰-۹०-९]/g, (digit) => String((digit.charCodeAt(0) - (digit < '०' ? 0 : 6)) % 16))
    .replaceAll('٫', '.')
    .replace(/[٬،]/g, ',');
}

/** Both `CA$5` and `$5` become `5`. Returns an empty string for another prefix. */
function stripCurrencySymbol(text: string, code: string): string {
  const start = text.search(/\d/);
  const symbol = text.slice(0, start).trim();
  return symbol === '' || listCurrencySymbols(code).includes(symbol)
    ? text.slice(start).trim()
    : '';
}

export function listCurrencySymbols(code: string): readonly string[] {
  const symbol = currencySymbols[code];
  return symbol ? [symbol, symbol.slice(-1)] : [];
}

/** With 2 decimals, `5181` becomes `51.81`, and `5181.5` becomes `51.815`. */
export function toMajorUnits(minor: number, decimals: number): string {
  if (decimals === 0) return String(minor);
  const [units = '', fraction = ''] = String(minor).split('.');
  const digits = units.padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}${fraction}`;
}

const currencySymbols: Readonly<Record<string, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  INR: '₹',
  CAD: 'CA$',
  AUD: 'A$',
  NZD: 'NZ$',
  MXN: 'MX$',
  BRL: 'R$',
  ILS: '₪',
  UAH: '₴',
};

function getCurrencySymbol(code: string): string {
  return currencySymbols[code] ?? code;
}

/** @param formattedZero such as `$0` or `0 €`. */
export function splitCurrencySigns(formattedZero: string): string[] {
  return formattedZero.split(/[\s\u200f]{0,4}0[\s\u200f]{0,4}/);
}

const english = {
  decimalSeparator: '.',
  groupSeparator: ',',
  currencyPattern: '{symbol}{amount}',
};

/** `Intl` would delay the first paint by 0.1 s on an old phone. */
export function formatMoney(
  minor: number,
  currency: string,
  decimals: number,
  { decimalSeparator, groupSeparator, currencyPattern } = english,
): string {
  const [whole = '', fraction = ''] = toMajorUnits(minor, decimals).split('.');
  const amount =
    whole.replace(/\B(?=(\d{3}){1,5}$)/g, groupSeparator) +
    (Number(fraction) ? decimalSeparator + fraction : '');
  const symbol =
    getCurrencySymbol(currency) +
    (Object.hasOwn(currencySymbols, currency) || !currencyPattern.startsWith('{symbol}{')
      ? ''
      : '\u00a0');
  return currencyPattern.replace('{symbol}', symbol).replace('{amount}', amount);
}

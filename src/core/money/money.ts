/**
 * Money is an integer of minor units (cents) everywhere but at the edges; this file is the edges.
 */

/** The largest amount that is read: enough for any gift, and safe in every later sum. */
export const LARGEST_AMOUNT = 100_000_000_000;

/** A currency by its ISO 4217 code and decimals. */
export interface Currency {
  readonly code: string;
  readonly decimals: number;
}

const machineForm = /^(\d{1,12})(?:\.(\d+))?$/;

/**
 * Reads an amount as links and settings write it: `75`, `75.5`, `$75.50`.
 * @param written spaces around are allowed; a comma, exponent, zero or another currency's sign is
 *   not, nor are more decimals than the currency has.
 * @returns minor units, or `undefined` where it is no such amount.
 */
export function parseAmount(written: string, { code, decimals }: Currency): number | undefined {
  const [, whole, fraction = ''] = machineForm.exec(withoutSign(written, code)) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  const minor = Number(whole + fraction.padEnd(decimals, '0'));
  return minor > 0 && minor <= LARGEST_AMOUNT ? minor : undefined;
}

const grouped = /^[1-9]\d{0,2}([.,\s'’])(?:\d{2,3}\1)*\d{3}$/;

/**
 * Reads an amount as a donor types it, in any script's digits: with its sign or code on either
 * side, a comma or a dot before the decimals, and thousands grouped.
 * A single mark before three digits (`1.000`) groups them, unless it is the language's decimal
 * mark.
 * @returns minor units, or `undefined` where it is no amount.
 */
export function parseTypedAmount(
  typed: string,
  currency: Currency,
  decimalMark = '.',
): number | undefined {
  const text = plainDigits(typed).trim();
  const sign =
    [currency.code, ...signsOf(currency.code)].find(
      (known) => text.startsWith(known) || text.endsWith(known),
    ) ?? '';
  const plain = (
    text.startsWith(sign) ? text.slice(sign.length) : text.slice(0, -sign.length)
  ).trim();
  const number = plainNumber(plain, decimalMark);
  return number === undefined ? undefined : parseAmount(number, currency);
}

/**
 * A number as somebody types it, in any script's digits, as one with a dot and without groups:
 * `1.250,5` is `1250.5`.
 * A single mark before three digits groups them, unless it is the language's decimal mark.
 */
export function plainNumber(typed: string, decimalMark = '.'): string | undefined {
  const plain = plainDigits(typed).trim();
  const [, whole = plain, mark = '', fraction = ''] = /^(.*)([.,])(\d*)$/.exec(plain) ?? [];
  const isGroup =
    whole.includes(mark) ||
    (/^[1-9]\d*$/.test(whole) && fraction.length === 3 && mark !== decimalMark);
  const units = mark && isGroup ? plain : whole;
  if (!/\d/.test(plain) || !(/^\d*$/.test(units) || grouped.test(units))) return undefined;
  return `${units.replace(/\D/g, '') || 0}${mark && !isGroup && fraction ? `.${fraction}` : ''}`;
}

/** Arabic, Persian, Devanagari and full-width digits and marks as plain ones. */
export function plainDigits(text: string): string {
  return text
    .replace(/[٠-٩۰-۹०-९０-９]/g, (digit) =>
      String((digit.charCodeAt(0) - (digit < '०' || digit > '९' ? 0 : 6)) % 16),
    )
    .replace(/[٫．]/g, '.')
    .replace(/[٬،，]/g, ',');
}

/**
 * Takes the currency's own sign from before an amount, whole or by its last character: `CA$5` and
 * `$5` in Canadian dollars.
 */
function withoutSign(written: string, code: string): string {
  const [, sign = '', amount = ''] = /^(\D*?)\s*(\d.*)$/.exec(written.trim()) ?? [];
  return sign === '' || signsOf(code).includes(sign) ? amount : '';
}

function signsOf(code: string): readonly string[] {
  const sign = currencySign(code);
  return sign === code ? [] : [sign, sign.slice(-1)];
}

/** An amount in major units as a decimal string with a dot: `5181` with 2 decimals is `51.81`. */
export function majorUnits(minor: number, decimals: number): string {
  if (decimals === 0) return String(minor);
  const digits = String(minor).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const signs: Readonly<Record<string, string>> = {
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

/** What stands before an amount: `$`, or the code itself where a sign would not be known. */
export function currencySign(currency: string): string {
  return signs[currency] ?? currency;
}

/** How a language writes amounts: the sign stands where the pattern says, `{sign}{amount}`. */
export interface MoneyStyle {
  readonly decimalMark: string;
  readonly groupMark: string;
  readonly money: string;
}

const english: MoneyStyle = { decimalMark: '.', groupMark: ',', money: '{sign}{amount}' };

/**
 * An amount for reading: `$1,250`, `$51.81`, `CHF 20`, `1.250 €`. Whole amounts drop their zeros.
 * Made by hand because building one `Intl.NumberFormat` costs an old phone a tenth of a second
 * before first paint.
 */
export function formatMoney(
  minor: number,
  currency: string,
  decimals: number,
  { decimalMark, groupMark, money } = english,
): string {
  const [whole = '', fraction = ''] = majorUnits(minor, decimals).split('.');
  const amount =
    whole.replace(/\B(?=(\d{3})+$)/g, groupMark) + (Number(fraction) ? decimalMark + fraction : '');
  const sign =
    currencySign(currency) +
    (Object.hasOwn(signs, currency) || !money.startsWith('{sign}{') ? '' : '\u00a0');
  return money.replace('{sign}', sign).replace('{amount}', amount);
}

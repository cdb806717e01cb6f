/** Money is an integer of minor units (cents) everywhere but at the edges; this file is the edges. */

/** The largest amount that is read: enough for any gift, and safe in every later sum. */
export const LARGEST_AMOUNT = 100_000_000_000;

/** A currency by its ISO 4217 code and decimals. */
export interface Currency {
  readonly code: string;
  readonly decimals: number;
}

const machineForm = /^(\d{1,12})(?:\.(\d+))?$/;
const groupedForm = /^\d{1,3}(?:,\d{3})+(?=\.|$)|^\d{1,3}(?:[\s'’]\d{3})+(?=\.|$)/, groupMarks = /[,\s'’]/g;

/**
 * Reads an amount as links and settings write it: `75`, `75.5`, `$75.50`.
 * @param written spaces around are allowed; a comma, exponent, zero or another currency's sign is not, nor are more decimals than the currency has.
 * @returns minor units, or `undefined` where it is no such amount.
 */
export function parseAmount(written: string, { code, decimals }: Currency): number | undefined {
  const [, whole, fraction = ''] = machineForm.exec(withoutSign(written, code)) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  const minor = Number(whole + fraction.padEnd(decimals, '0'));
  return minor > 0 && minor <= LARGEST_AMOUNT ? minor : undefined;
}

/**
 * Reads an amount as a donor types it: like {@link parseAmount}, with its sign or code on either side, and thousands grouped by well-placed commas, spaces or apostrophes.
 * A comma that might be a decimal one (`5,00`) is refused: guessing would change the gift a hundredfold.
 */
export function parseTypedAmount(typed: string, currency: Currency): number | undefined {
  const text = typed.trim();
  const mark = [currency.code, ...signsOf(currency.code)].find((known) => text.startsWith(known) || text.endsWith(known)) ?? '';
  const plain = (text.startsWith(mark) ? text.slice(mark.length) : text.slice(0, -mark.length)).trim();
  const ungrouped = groupedForm.test(plain) ? plain.replace(groupMarks, '') : plain;
  return /^[\d.]+$/.test(ungrouped) ? parseAmount(ungrouped.replace(/^\./, '0.').replace(/\.$/, ''), currency) : undefined;
}

/** Takes the currency's own sign from before an amount, whole or by its last character: `CA$5` and `$5` in Canadian dollars. */
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

const signs: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', CAD: 'CA$', AUD: 'A$', NZD: 'NZ$', MXN: 'MX$', BRL: 'R$', ILS: '₪', UAH: '₴' };

/** What stands before an amount: `$`, or the code itself where a sign would not be known. */
export function currencySign(currency: string): string {
  return signs[currency] ?? currency;
}

/**
 * An amount as an English reader expects it: `$1,250`, `$51.81`, `CHF 20`. Whole amounts drop their zeros.
 * Made by hand because building one `Intl.NumberFormat` costs an old phone a tenth of a second before first paint.
 */
export function formatMoney(minor: number, currency: string, decimals: number): string {
  const [whole = '', fraction = ''] = majorUnits(minor, decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return currencySign(currency) + (Object.hasOwn(signs, currency) ? '' : '\u00a0') + grouped + (Number(fraction) ? `.${fraction}` : '');
}

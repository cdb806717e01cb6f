import { getCurrencyDecimals, toMajorUnits } from '@donation-form/core/money';

/** An amount in PayPal's format: a decimal string in major units. */
export interface Money {
  readonly currency_code: string;
  readonly value: string;
}

/** An amount in minor units. */
export interface Amount {
  readonly total: number;
  readonly currency: string;
}

/**
 * Currencies that PayPal supports. BRL, CNY, and MYR work only for accounts in Brazil, China, and
 * Malaysia.
 * @see https://developer.paypal.com/api/rest/reference/currency-codes/
 */
const CURRENCIES: readonly string[] = (
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD ' +
  'USD'
).split(' ');

/** Currencies in which PayPal rejects amounts with decimals (same page). */
const WITHOUT_DECIMALS: readonly string[] = ['HUF', 'JPY', 'TWD'];

/** Returns the decimal places that PayPal accepts, or `undefined` for an unsupported currency. */
export function getPayPalDecimals(currency: string): number | undefined {
  if (!CURRENCIES.includes(currency)) return undefined;
  return WITHOUT_DECIMALS.includes(currency) ? 0 : getCurrencyDecimals(currency);
}

/** Converts minor units. @throws {RangeError} if PayPal does not support the currency. */
export function toPayPalMoney(total: number, currency: string): Money {
  const decimals = getPayPalDecimals(currency);
  if (decimals === undefined) throw new RangeError(`PayPal does not support ${currency}`);
  return { currency_code: currency, value: toMajorUnits(total, decimals) };
}

/**
 * Converts an amount in PayPal's format to minor units. Returns a fraction for an amount that
 * cannot be donated, such as 1234.5 for a refund of 1,234.50 Ft.
 * @throws {RangeError} if PayPal does not support the currency, or if the value is not an amount.
 */
export function parsePayPalMoney({ currency_code: currency, value }: Money): Amount {
  const decimals = getPayPalDecimals(currency);
  if (decimals === undefined || !/^-?(?=\.?\d)\d*(\.\d*)?$/.test(value))
    throw new RangeError(`PayPal sent ${value} ${currency}, which cannot be a donation amount`);
  return { total: Number(`${value}e${decimals}`), currency };
}

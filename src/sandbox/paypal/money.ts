import { createErrorDetail, InvalidRequestError, UnprocessableError } from './api-error.ts';

/** Amount in its currency's smallest unit. */
export interface Amount {
  readonly currency: string;
  readonly units: number;
}

/** Amount in the API's format. */
export interface Money {
  readonly currency_code: string;
  readonly value: string;
}

/**
 * Number of decimal places by currency (developer.paypal.com/api/rest/reference/currency-codes).
 * Unlike ISO 4217, PayPal has no decimals for HUF and TWD.
 */
const DECIMALS: Readonly<Record<string, 0 | 2>> = {
  AUD: 2,
  BRL: 2,
  CAD: 2,
  CHF: 2,
  CNY: 2,
  CZK: 2,
  DKK: 2,
  EUR: 2,
  GBP: 2,
  HKD: 2,
  HUF: 0,
  ILS: 2,
  JPY: 0,
  MXN: 2,
  MYR: 2,
  NOK: 2,
  NZD: 2,
  PHP: 2,
  PLN: 2,
  SEK: 2,
  SGD: 2,
  THB: 2,
  TWD: 0,
  USD: 2,
};
const MAX_VALUE = 999_999_999_999_999;
/** Example fee rate. PayPal's real fees depend on the country and type of the account. */
const FEE_RATE = 0.0199;
const FIXED_FEE_UNITS = 49;

/**
 * Parses a positive amount.
 * @param field JSON pointer to the amount, for error messages.
 * @param decimalsIssue issue to report for decimals in a currency without decimals.
 * @throws UnprocessableError if PayPal would not accept the currency or value.
 */
export function parseAmount(
  { currency_code: currency, value }: Money,
  field: string,
  decimalsIssue: 'DECIMAL_PRECISION' | 'DECIMALS_NOT_SUPPORTED' = 'DECIMAL_PRECISION',
): Amount {
  const decimals = DECIMALS[currency];
  if (decimals === undefined)
    throw new UnprocessableError('INVALID_CURRENCY_CODE', {
      field: `${field}/currency_code`,
      value: currency,
    });
  const valueField = { field: `${field}/value`, value };
  if (Number(value) <= 0) throw new UnprocessableError('CANNOT_BE_ZERO_OR_NEGATIVE', valueField);
  if (Number(value) > MAX_VALUE) throw new UnprocessableError('MAX_VALUE_EXCEEDED', valueField);
  const fraction = value.split('.')[1] ?? '';
  if (fraction.length > decimals)
    throw new UnprocessableError(decimals === 0 ? decimalsIssue : 'DECIMAL_PRECISION', valueField);
  return { currency, units: Math.round(Number(value) * 10 ** decimals) };
}

/**
 * Parses a positive amount in a Subscriptions v1 request. That API reports less specific errors
 * than Orders v2.
 * @throws ApiError if PayPal would not accept the currency or value.
 */
export function parsePrice(money: Money, field: string): Amount {
  if (DECIMALS[money.currency_code] === undefined)
    throw new UnprocessableError('CURRENCY_NOT_SUPPORTED_FOR_RECEIVER');
  try {
    return parseAmount(money, field);
  } catch (error) {
    if (!(error instanceof UnprocessableError)) throw error;
    throw new InvalidRequestError([
      createErrorDetail('INVALID_PARAMETER_VALUE', {
        field: `${field}/value`,
        value: money.value,
        location: 'body',
        description: 'The value of a field is invalid.',
      }),
    ]);
  }
}

export function formatMoney({ currency, units }: Amount): Money {
  const decimals = DECIMALS[currency] ?? 2;
  return { currency_code: currency, value: (units / 10 ** decimals).toFixed(decimals) };
}

/** Formats an amount for display, such as `$50.00`. */
export function formatPrice(amount: Amount): string {
  const { currency_code: currency, value } = formatMoney(amount);
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: DECIMALS[currency] ?? 2,
    maximumFractionDigits: DECIMALS[currency] ?? 2,
  }).format(Number(value));
}

export function calculateFee({ currency, units }: Amount): Amount {
  return { currency, units: Math.min(units, Math.round(units * FEE_RATE) + FIXED_FEE_UNITS) };
}

/** Returns the difference between two amounts in the same currency. */
export function subtractAmount({ currency, units }: Amount, other: Amount): Amount {
  return { currency, units: units - other.units };
}

import { InvalidParameterError } from './stripe-error.ts';

const THREE_DECIMAL_CURRENCIES = ['bhd', 'jod', 'kwd', 'omr', 'tnd'];
/**
 * Currencies without decimals whose amounts Stripe expects in hundredths
 * (docs.stripe.com/currencies, "Special cases").
 */
const WHOLE_UNIT_CURRENCIES = ['isk', 'ugx'];
const MAX_AMOUNT = 99_999_999;
/**
 * Minimum charge amounts in the smallest unit, by currency (docs.stripe.com/currencies, "Minimum
 * and maximum charge amounts").
 */
const MIN_AMOUNTS: Readonly<Record<string, number>> = {
  usd: 50,
  aed: 200,
  aud: 50,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1_500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1_000,
};
const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

/**
 * Returns the currency in lowercase.
 * @throws InvalidParameterError for a currency that Stripe does not support.
 */
export function parseCurrency(currency: string, param = 'currency'): string {
  const lowercase = currency.toLowerCase();
  if (!CURRENCIES.has(lowercase))
    throw new InvalidParameterError(
      undefined,
      param,
      `Invalid currency: ${lowercase}. Stripe currently supports these currencies: ${[...CURRENCIES].join(', ')}`,
    );
  return lowercase;
}

/**
 * Checks an amount.
 * @throws InvalidParameterError if Stripe would not charge the amount.
 */
export function assertValidAmount(amount: number, currency: string, param = 'amount'): void {
  if (amount < 1)
    throw new InvalidParameterError(
      'parameter_invalid_integer',
      param,
      'This value must be greater than or equal to 1.',
    );
  const least = MIN_AMOUNTS[currency] ?? 1;
  if (amount < least)
    throw new InvalidParameterError(
      'amount_too_small',
      param,
      'The Amount must be greater than or equal to the minimum charge amount allowed for ' +
        `your account and the currency set: ${least} ${currency}.`,
    );
  if (amount > MAX_AMOUNT)
    throw new InvalidParameterError(
      'amount_too_large',
      param,
      'Amount must be no more than 999,999.99',
    );
  if (THREE_DECIMAL_CURRENCIES.includes(currency) && amount % 10 !== 0)
    throw new InvalidParameterError(
      'parameter_invalid_integer',
      param,
      `Invalid amount: amounts in ${currency} must be evenly divisible by 10.`,
    );
  if (WHOLE_UNIT_CURRENCIES.includes(currency) && amount % 100 !== 0)
    throw new InvalidParameterError(
      'parameter_invalid_integer',
      param,
      `Invalid amount: amounts in ${currency} must be evenly divisible by 100.`,
    );
}

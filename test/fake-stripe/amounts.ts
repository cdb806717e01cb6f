import { Misunderstanding } from './refusal.ts';

const THREE_DECIMALS = ['bhd', 'jod', 'kwd', 'omr', 'tnd'];
/** Counted in hundredths although they have none (docs.stripe.com/currencies, "Special cases"). */
const WHOLE_HUNDREDS = ['isk', 'ugx'];
const MOST = 99_999_999;
/**
 * What a charge must be at least (docs.stripe.com/currencies, "Minimum and maximum charge
 * amounts").
 */
const LEAST: Readonly<Record<string, number>> = {
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

/** @returns the currency in small letters. @throws a refusal of what Stripe would not charge. */
export function checkedCurrency(currency: string, param = 'currency'): string {
  const small = currency.toLowerCase();
  if (!CURRENCIES.has(small))
    throw new Misunderstanding(
      undefined,
      param,
      `Invalid currency: ${small}. Stripe currently supports these currencies: ${[...CURRENCIES].join(', ')}`,
    );
  return small;
}

/** @throws a refusal of what Stripe would not charge. */
export function checkAmount(amount: number, currency: string, param = 'amount'): void {
  if (amount < 1)
    throw new Misunderstanding(
      'parameter_invalid_integer',
      param,
      'This value must be greater than or equal to 1.',
    );
  const least = LEAST[currency] ?? 1;
  if (amount < least)
    throw new Misunderstanding(
      'amount_too_small',
      param,
      `The Amount must be greater than or equal to the minimum charge amount allowed for your account and the currency set: ${least} ${currency}.`,
    );
  if (amount > MOST)
    throw new Misunderstanding('amount_too_large', param, 'Amount must be no more than 999,999.99');
  if (THREE_DECIMALS.includes(currency) && amount % 10 !== 0)
    throw new Misunderstanding(
      'parameter_invalid_integer',
      param,
      `Invalid amount: amounts in ${currency} must be evenly divisible by 10.`,
    );
  if (WHOLE_HUNDREDS.includes(currency) && amount % 100 !== 0)
    throw new Misunderstanding(
      'parameter_invalid_integer',
      param,
      `Invalid amount: amounts in ${currency} must be evenly divisible by 100.`,
    );
}

import type { Stripe } from 'stripe';

type Recurring = Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'> | null;

/** Currencies without decimals whose amounts Stripe expects in hundredths. */
const WHOLE_UNIT_CURRENCIES = ['isk', 'ugx'];

/**
 * Formats an amount for display, such as `$50.00`.
 * @param amount amount in Stripe's smallest unit for the currency.
 */
export function formatMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(
    amount / getMinorUnitFactor(currency),
  );
}

/** Formats an amount with its interval, such as `$50.00 every month`. */
export function formatRecurringMoney(
  amount: number,
  currency: string,
  recurring: Recurring,
): string {
  const sum = formatMoney(amount, currency);
  if (!recurring) return sum;
  const { interval, interval_count: count } = recurring;
  return `${sum} every ${count === 1 ? interval : `${count} ${interval}s`}`;
}

/**
 * Parses an amount in major units and converts it to Stripe's smallest unit. Returns `NaN` for
 * invalid text.
 */
export function parseMinorUnits(text: string, currency: string): number {
  return /^\d{1,9}(\.\d{1,4})?$/.test(text)
    ? Number((Number(text) * getMinorUnitFactor(currency)).toFixed(6))
    : NaN;
}

function getMinorUnitFactor(currency: string): number {
  if (WHOLE_UNIT_CURRENCIES.includes(currency.toLowerCase())) return 100;
  return (
    10 **
    (new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits ?? 2)
  );
}

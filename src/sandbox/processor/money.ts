import type { Payment } from './records.ts';

type MoneyAmount = Pick<Payment, 'amount' | 'currency'>;

const FREQUENCY_SUFFIXES: Readonly<Record<Payment['frequency'], string>> = {
  once: '',
  weekly: ' every week',
  everyOtherWeek: ' every other week',
  monthly: ' every month',
  quarterly: ' every quarter',
  biannual: ' twice a year',
  annually: ' every year',
};

/** Formats an amount, such as `$50.00`. */
export function formatMoney({ amount, currency }: MoneyAmount): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(
    amount / getMinorUnitFactor(currency),
  );
}

/** Formats an amount with its frequency, such as `$50.00 every month`. */
export function formatRecurringMoney(payment: MoneyAmount & Pick<Payment, 'frequency'>): string {
  return `${formatMoney(payment)}${FREQUENCY_SUFFIXES[payment.frequency]}`;
}

/** Returns the number of minor units in a major unit, according to the runtime. */
function getMinorUnitFactor(currency: string): number {
  return (
    10 **
    (new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits ?? 2)
  );
}

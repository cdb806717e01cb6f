import type { Payment } from './records.ts';

type Sum = Pick<Payment, 'amount' | 'currency'>;

const EVERY: Readonly<Record<Payment['frequency'], string>> = {
  once: '',
  weekly: ' every week',
  everyOtherWeek: ' every other week',
  monthly: ' every month',
  quarterly: ' every quarter',
  biannual: ' twice a year',
  annually: ' every year',
};

/** A sum in a person's words, such as `$50.00`. */
export function money({ amount, currency }: Sum): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(
    amount / unitOf(currency),
  );
}

/** A sum and how often it is taken, such as `$50.00 every month`. */
export function moneyEvery(payment: Sum & Pick<Payment, 'frequency'>): string {
  return `${money(payment)}${EVERY[payment.frequency]}`;
}

/** Minor units of what a person wrote in major ones; NaN where it is no sum. */
export function minorUnits(written: string, currency: string): number {
  return /^\d{1,9}(\.\d{1,4})?$/.test(written)
    ? Number((Number(written) * unitOf(currency)).toFixed(6))
    : NaN;
}

/** How many minor units make a major one, as far as the runtime knows. */
function unitOf(currency: string): number {
  return (
    10 **
    (new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits ?? 2)
  );
}

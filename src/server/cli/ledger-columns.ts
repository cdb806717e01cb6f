import type { LedgerRow } from '../index.ts';

/** The columns of donations in CSV files. */
export const DONATION_COLUMNS = [
  'reference',
  'first_gift',
  'given_utc',
  'given_local',
  'time_zone',
  'status',
  'frequency',
  'gift',
  'covered_fees',
  'total',
  'currency',
] as const satisfies readonly (keyof LedgerRow)[];

export const FEE_COLUMNS = [
  'fee',
  'net',
  'paid_out_currency',
] as const satisfies readonly (keyof LedgerRow)[];

export const PAYMENT_COLUMNS = [
  'refunded',
  'provider',
  'payment_id',
  'platform_gift_id',
  'projects',
  'segment',
] as const satisfies readonly (keyof LedgerRow)[];

export const NUMBER_COLUMNS = [
  'gift',
  'covered_fees',
  'total',
  'fee',
  'net',
  'refunded',
] as const satisfies readonly (keyof LedgerRow)[];

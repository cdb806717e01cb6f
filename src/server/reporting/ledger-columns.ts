import type { LedgerRow } from './report.ts';

/** CSV columns for a donation's references, time, status, and amounts. */
export const DONATION_COLUMNS = [
  'reference',
  'parent_reference',
  'created_utc',
  'created_local',
  'time_zone',
  'status',
  'frequency',
  'amount',
  'covered_fees',
  'total',
  'currency',
] as const satisfies readonly (keyof LedgerRow)[];

export const FEE_COLUMNS = [
  'fee',
  'net',
  'payout_currency',
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
  'amount',
  'covered_fees',
  'total',
  'fee',
  'net',
  'refunded',
] as const satisfies readonly (keyof LedgerRow)[];

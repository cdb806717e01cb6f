import type { Donation } from '../database/schema.ts';

/** What is charged, minor units. */
export function totalOf({ payload: { gift, decimals } }: Pick<Donation, 'payload'>): {
  readonly total: number;
  readonly currency: string;
  readonly decimals: number;
} {
  return { total: gift.total, currency: gift.currency, decimals };
}

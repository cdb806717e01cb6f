import type { Donation } from '../database/schema.ts';

/** Returns the total charged, in minor units. */
export function getTotal({ payload: { gift, decimals } }: Pick<Donation, 'payload'>): {
  readonly total: number;
  readonly currency: string;
  readonly decimals: number;
} {
  return { total: gift.total, currency: gift.currency, decimals };
}

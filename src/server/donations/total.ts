import type { Donation } from '../database/schema.ts';

/** In minor units. */
export function getDonationTotal({ payload: { gift, decimals } }: Pick<Donation, 'payload'>): {
  readonly total: number;
  readonly currency: string;
  readonly decimals: number;
} {
  return { total: gift.total, currency: gift.currency, decimals };
}

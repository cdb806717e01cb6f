import type { Donation } from '../database/schema.ts';

/** Returns a donation's total, in minor units, with its currency. */
export function getDonationTotal({ payload: { gift, decimals } }: Pick<Donation, 'payload'>): {
  readonly total: number;
  readonly currency: string;
  readonly decimals: number;
} {
  return { total: gift.total, currency: gift.currency, decimals };
}

import type { Donation, OutboxEntry } from '../database/schema.ts';

/**
 * Returns the total of a donation or of one of its renewals, in minor units. The entry of a renewal
 * has an amount, unless the provider did not report it.
 */
export function getDonationTotal(
  { payload: { gift, decimals } }: Pick<Donation, 'payload'>,
  entry?: Pick<OutboxEntry, 'payload'>,
): {
  readonly total: number;
  readonly currency: string;
  readonly decimals: number;
} {
  return { total: entry?.payload.amount ?? gift.total, currency: gift.currency, decimals };
}

import type { Kysely } from 'kysely';
import type { Donation, OutboxEntry, Tables } from '../database/schema.ts';
import { listDisputeStatuses } from '../donations/refunds-and-disputes.ts';
import { isGiftCreation } from '../donations/review-options.ts';
import { getRefundedAmount } from '../donations/to-gift-change.ts';

/** A donation or renewal as it is now. */
export interface PaidGift {
  readonly reference: string;
  /** For a renewal, the first donation. */
  readonly donation: Donation;
  readonly renewal: OutboxEntry | undefined;
  /** Paid, less refunds, in minor units. 0 before the money has arrived, or with a dispute. */
  readonly amountPaid: number;
  /** Time at which the money arrived. */
  readonly paidAt: number;
}

/** @throws {Error} if the donation is missing. */
export async function loadPaidGift(
  db: Kysely<Tables>,
  reference: string,
  { locksDonation }: { readonly locksDonation: boolean },
): Promise<PaidGift> {
  const renewal = await db
    .selectFrom('outbox')
    .selectAll()
    .where((build) => build.and({ reference, kind: 'renewal' }))
    .executeTakeFirst();
  const donation = await db
    .selectFrom('donations')
    .selectAll()
    .where('reference', '=', renewal?.parentReference ?? reference)
    .$if(locksDonation, (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  const events = await db
    .selectFrom('outbox')
    .selectAll()
    .where('reference', '=', reference)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  const settlement = events.find(({ kind }) => kind === 'payment_settled');
  const creation = events.find(isGiftCreation);
  return {
    reference,
    donation,
    renewal,
    amountPaid: getAmountPaid(getTotal(donation, renewal), events),
    paidAt: (settlement ?? creation)?.happenedAt ?? donation.createdAt,
  };
}

function getTotal({ status, payload }: Donation, renewal: OutboxEntry | undefined): number {
  if (renewal) return renewal.payload.amount ?? 0;
  return status === 'succeeded' ? payload.gift.total : 0;
}

/** Without a result, a dispute may still take the whole payment back. */
function getAmountPaid(total: number, events: readonly OutboxEntry[]): number {
  if (listDisputeStatuses(events).some((status) => status !== 'won')) return 0;
  return Math.max(0, total - getRefundedAmount({ events }));
}

import type { Kysely } from 'kysely';
import type { Donation, OutboxEntry, Tables } from '../database/schema.ts';
import { getAmountPaid, loadReceivedPayments } from '../donations/received-payments.ts';

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
  const payments = await loadReceivedPayments(db, [donation]);
  const payment = payments.find((candidate) => candidate.reference === reference);
  return {
    reference,
    donation,
    renewal,
    amountPaid: payment ? getAmountPaid(payment) : 0,
    paidAt: payment?.paidAt ?? donation.createdAt,
  };
}

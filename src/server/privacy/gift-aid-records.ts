import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import { selectPayloadField } from '../database/payload-field.ts';
import type { Donation, Tables } from '../database/schema.ts';
import { omitDonorData } from '../donations/omit-donor-data.ts';
import { loadReceivedPayments } from '../donations/received-payments.ts';
import { iterateDatabasePages } from '../reporting/iterate-pages.ts';

/**
 * HMRC requires records for 6 years after the end of the accounting period, which lasts up to a
 * year. In milliseconds. Source: https://www.gov.uk/guidance/charities-detailed-guidance-notes/chapter-3-gift-aid
 */
const RECORD_DURATION = 7 * 366 * 86_400_000;
/** Donations per transaction. Small, because other writes wait for each transaction. */
const BATCH_SIZE = 25;

/** Returns true while HMRC may ask for the declaration of a paid donation. */
export async function mustKeepGiftAidRecord(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  donation: Donation,
  now: number,
): Promise<boolean> {
  if (!donation.payload.giftAid || donation.payload.isTest) return false;
  const payments = await loadReceivedPayments(db, [donation]);
  return payments.some(({ paidAt }) => now - paidAt < RECORD_DURATION);
}

/** Erases the Gift Aid records that remained when the other data of the donors was deleted. */
export async function eraseExpiredGiftAidRecords(
  { db, writer }: Database,
  organization: string,
  now: number,
): Promise<void> {
  const from = now - RECORD_DURATION;
  const fetchPage = (last: Donation | undefined, limit: number): Promise<Donation[]> =>
    db
      .selectFrom('donations')
      .selectAll()
      .where('organization', '=', organization)
      .where('createdAt', '<', from)
      .where('createdAt', '>=', last?.createdAt ?? 0)
      .where((build) =>
        build.or([
          build('createdAt', '>', last?.createdAt ?? 0),
          build('reference', '>', last?.reference ?? ''),
        ]),
      )
      .where('donorDeletedAt', 'is not', null)
      .where(selectPayloadField(db, 'donations', ['giftAid', 'scope']), 'is not', null)
      // Otherwise, each day would read all records of recurring donations again.
      .where((build) =>
        build.not(
          build.exists(
            build
              .selectFrom('outbox')
              .select('outbox.id')
              .whereRef('outbox.parentReference', '=', 'donations.reference')
              .where('outbox.kind', '=', 'renewal')
              .where('outbox.happenedAt', '>', from),
          ),
        ),
      )
      .orderBy('createdAt')
      .orderBy('reference')
      .limit(limit)
      .execute();
  for await (const donations of iterateDatabasePages(fetchPage, BATCH_SIZE))
    await writer.write(async (transaction) => {
      for (const donation of donations) {
        if (await mustKeepGiftAidRecord(transaction, donation, now)) continue;
        const payload = omitDonorData({ ...donation.payload, giftAid: undefined });
        await transaction
          .updateTable('donations')
          .set({ payload: JSON.stringify(payload) })
          .where('reference', '=', donation.reference)
          .execute();
      }
    });
}

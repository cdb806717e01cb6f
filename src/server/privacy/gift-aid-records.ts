import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import { selectPayloadField } from '../database/payload-field.ts';
import type { Donation, Tables } from '../database/schema.ts';
import { omitDonorData } from '../donations/omit-donor-data.ts';
import { selectEvents } from '../donations/outbox-entries.ts';

/**
 * HMRC requires records for 6 years after the end of the accounting period, which lasts up to a
 * year. In milliseconds. Source: https://www.gov.uk/guidance/charities-detailed-guidance-notes/chapter-3-gift-aid
 */
const RECORD_DURATION = 7 * 366 * 86_400_000;

/** Returns true while HMRC may ask for the declaration of a paid donation. */
export async function mustKeepGiftAidRecord(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  { reference, status, payload, createdAt }: Donation,
  now: number,
): Promise<boolean> {
  if (!payload.giftAid || status === 'failed') return false;
  const events = await selectEvents(db, [reference]).execute();
  const lastEvent = events.at(-1)?.createdAt ?? createdAt;
  return now - lastEvent < RECORD_DURATION;
}

/** Erases the Gift Aid records that remained when the other data of the donors was deleted. */
export async function eraseExpiredGiftAidRecords(
  { db, writer }: Database,
  organization: string,
  now: number,
): Promise<void> {
  const kept = await db
    .selectFrom('donations')
    .selectAll()
    .where('organization', '=', organization)
    .where('createdAt', '<', now - RECORD_DURATION)
    .where('donorDeletedAt', 'is not', null)
    .where(selectPayloadField(db, 'donations', ['giftAid', 'scope']), 'is not', null)
    .execute();
  for (const donation of kept) {
    if (await mustKeepGiftAidRecord(db, donation, now)) continue;
    const payload = JSON.stringify(omitDonorData({ ...donation.payload, giftAid: undefined }));
    await writer.write((transaction) =>
      transaction
        .updateTable('donations')
        .set({ payload })
        .where('reference', '=', donation.reference)
        .execute(),
    );
  }
}

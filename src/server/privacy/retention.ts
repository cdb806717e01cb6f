import type { ServerBase } from '../database/database.ts';
import type { Donation, OutboxEntry } from '../database/schema.ts';
import type { Organization } from '../organizations/organization.ts';
import { eraseReceipts } from '../receipts/erase-receipts.ts';
import { iterateListPages } from '../reporting/iterate-pages.ts';
import { deleteDonorData, removeDeletedDataFromWriteAheadLog } from './delete-donor-data.ts';
import { eraseExpiredGiftAidRecords } from './gift-aid-records.ts';
import { indexWebhookMentions } from './webhook-mentions.ts';

interface RetentionOptions extends ServerBase {
  readonly organizations: () => readonly Organization[];
}

const DAY = 86_400_000;
/** Donations per transaction. Small, because other writes wait for each transaction. */
const BATCH_SIZE = 25;

export async function deleteExpiredDonorData(options: RetentionOptions): Promise<void> {
  const { database, organizations, log, now } = options;
  for (const { id, donorDataDays } of organizations()) {
    const at = now();
    await eraseExpiredGiftAidRecords(database, id, at);
    if (donorDataDays === undefined) continue;
    const until = at - donorDataDays * DAY;
    const webhooks = await indexWebhookMentions(database.db, id);
    let donations = 0;
    for await (const page of iterateListPages(database.db, 'donationsWithDonorData', {
      organization: id,
      period: { from: 0, to: until },
    })) {
      for (let first = 0; first < page.length; first += BATCH_SIZE) {
        const references = page.slice(first, first + BATCH_SIZE).map(({ reference }) => reference);
        const { deleted } = await deleteDonorData(
          database,
          { organization: id, references, webhooks, by: 'retention', at },
          (row, events) => getRetentionStartTime(row, events) <= until,
        );
        donations += deleted.length;
      }
    }
    if (donations === 0) continue;
    await removeDeletedDataFromWriteAheadLog(database, log);
    log.info(
      { organization: id, donations, days: donorDataDays },
      'donor data deleted: retention period expired',
    );
  }
}

/**
 * The period starts when the platform was last notified or, otherwise, when the donation failed.
 */
function getRetentionStartTime({ updatedAt: changed }: Donation, events: readonly OutboxEntry[]) {
  const times = events
    .filter(
      ({ kind }) => kind === 'donation' || kind === 'renewal' || kind === 'subscription_canceled',
    )
    .map(({ updatedAt: recorded }) => recorded);
  return times.length === 0 ? changed : Math.max(...times);
}

/** Erases deleted donors in tax receipts whose years are over. */
export async function eraseExpiredReceipts({
  database,
  log,
  now,
}: Pick<RetentionOptions, 'database' | 'log' | 'now'>): Promise<void> {
  for (;;) {
    const expired = await database.db
      .selectFrom('receipts')
      .innerJoin('receiptFiles', 'receiptFiles.receipt', 'receipts.id')
      .leftJoin('outbox', (join) =>
        join.onRef('outbox.reference', '=', 'receipts.reference').on('outbox.kind', '=', 'renewal'),
      )
      .innerJoin('donations', (join) =>
        join.on((build) =>
          build(
            'donations.reference',
            '=',
            build.fn.coalesce('outbox.parentReference', 'receipts.reference'),
          ),
        ),
      )
      .where('receipts.keepUntil', '<=', now())
      .where('donations.donorDeletedAt', 'is not', null)
      .select(['receipts.id', 'receipts.payload'])
      .limit(BATCH_SIZE)
      .execute();
    if (expired.length === 0) return;
    await database.writer.write((transaction) => eraseReceipts(transaction, expired));
    await removeDeletedDataFromWriteAheadLog(database, log);
    log.info({ receipts: expired.length }, 'donors erased in receipts: retention period expired');
  }
}

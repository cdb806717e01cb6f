import type { Logger } from '../lib/logger.ts';
import type { Organization } from '../organizations/organization.ts';
import type { Database } from '../database/database.ts';
import type { EventRow, Donation } from '../database/schema.ts';
import { giftsOf } from '../reporting/ledger-entries.ts';
import { forget, readWebhooks } from './erase-donor.ts';

export interface RetentionOptions {
  readonly store: Database;
  readonly organizations: () => readonly Organization[];
  readonly log: Logger;
  readonly now: () => number;
}

const DAY = 86_400_000;
/** Who stands as the one that deleted. */
const BY = 'retention';
/** How many gifts are looked at in one transaction, for which other writes wait. */
const TOGETHER = 25;

/**
 * Deletes what names donors, each organisation's number of days after a gift was recorded or
 * declined.
 */
export async function deleteOldDonors({
  store,
  organizations,
  log,
  now,
}: RetentionOptions): Promise<void> {
  for (const { id, donorDataDays } of organizations()) {
    if (donorDataDays === undefined) continue;
    const at = now();
    const until = at - donorDataDays * DAY;
    const webhooks = await readWebhooks(store.db, id);
    let gifts = 0;
    for await (const page of giftsOf(store.db, id, { from: 0, to: until }, { isKept: true })) {
      for (let first = 0; first < page.length; first += TOGETHER) {
        const references = page.slice(first, first + TOGETHER).map(({ reference }) => reference);
        const { deleted } = await forget(
          store,
          { organization: id, references, webhooks, by: BY, at },
          (row, events) => settledAt(row, events) <= until,
        );
        gifts += deleted.length;
      }
    }
    if (gifts > 0)
      log.info(
        { organization: id, gifts, days: donorDataDays },
        "donors' data was deleted after its time",
      );
  }
}

/**
 * When a gift and its renewals were recorded and a recurring one had ended; of one that the
 * platform never heard of, when it was declined.
 */
function settledAt({ updated_at: changed }: Donation, events: readonly EventRow[]): number {
  const times = events
    .filter(({ kind }) => kind === 'gift' || kind === 'renewal' || kind === 'cancellation')
    .map(({ updated_at: recorded }) => recorded);
  return times.length === 0 ? changed : Math.max(...times);
}

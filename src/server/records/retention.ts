import type { Logger } from 'pino';
import type { Organization } from '../organization.ts';
import type { Store } from '../store.ts';
import type { EventRow, GiftRow } from '../tables.ts';
import { giftsOf } from './books.ts';
import { forget } from './forget.ts';

export interface RetentionOptions {
  readonly store: Store;
  readonly organizations: () => readonly Organization[];
  readonly log: Logger;
  readonly now: () => number;
}

const DAY = 86_400_000;
/** Who stands as the one that deleted. */
const BY = 'retention';

/** Deletes what names donors, each organisation's number of days after a gift was recorded or declined. */
export async function deleteOldDonors({ store, organizations, log, now }: RetentionOptions): Promise<void> {
  for (const { id, donorDataDays } of organizations()) {
    if (donorDataDays === undefined) continue;
    const at = now(), until = at - donorDataDays * DAY;
    let gifts = 0;
    for await (const page of giftsOf(store.db, id, { from: 0, to: until }, { isKept: true })) {
      const { deleted } = await forget(store, { organization: id, references: page.map(({ reference }) => reference), by: BY, at }, (row, events) => settledAt(row, events) <= until);
      gifts += deleted.length;
    }
    if (gifts > 0) log.info({ organization: id, gifts, days: donorDataDays }, 'donors\' data was deleted after its time');
  }
}

/** When a gift and its renewals were recorded and a recurring one had ended; of one that the platform never heard of, when it was declined. */
function settledAt({ updated_at: changed }: GiftRow, events: readonly EventRow[]): number {
  const times = events.filter(({ kind }) => kind === 'gift' || kind === 'renewal' || kind === 'cancellation').map(({ updated_at: recorded }) => recorded);
  return times.length === 0 ? changed : Math.max(...times);
}

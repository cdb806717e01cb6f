import type { OutboxEntry } from '../database/schema.ts';
import { sumAmounts } from '../lib/sum-amounts.ts';

type GiftEvents = readonly Pick<OutboxEntry, 'kind' | 'id' | 'payload'>[];

/** In minor units. */
export function sumRefunds({ events }: { readonly events: GiftEvents }): number {
  const failed = new Set(
    events.flatMap(({ kind, id }) => (kind === 'refund_failed' ? [parseSubjectId(id)] : [])),
  );
  return sumAmounts(
    events
      .filter(({ kind, id }) => kind === 'refund' && !failed.has(parseSubjectId(id)))
      .map(({ payload }) => payload.amount ?? 0),
  );
}

/** Returns the status of each dispute, in the order in which the disputes were opened. */
export function listDisputeStatuses(events: GiftEvents): readonly ('open' | 'won' | 'lost')[] {
  const results = new Map<string, 'won' | 'lost'>();
  for (const { kind, id } of events)
    if (kind === 'dispute_won' || kind === 'dispute_lost')
      results.set(parseSubjectId(id), kind === 'dispute_won' ? 'won' : 'lost');
  return events
    .filter(({ kind }) => kind === 'dispute_opened')
    .map(({ id }) => results.get(parseSubjectId(id)) ?? 'open');
}

/**
 * Returns `open` if any dispute is open, the last dispute's result, or `undefined` without
 * disputes.
 */
export function getDisputeStatus(events: GiftEvents): 'open' | 'won' | 'lost' | undefined {
  const statuses = listDisputeStatuses(events);
  return statuses.includes('open') ? 'open' : statuses.at(-1);
}

/** Extracts the subject from an event ID, such as `re_1` from `refund re_1`. */
function parseSubjectId(id: string): string {
  return id.slice(id.indexOf(' ') + 1);
}

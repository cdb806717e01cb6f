import type { OutboxEntry } from '../database/schema.ts';
import { sumAmounts } from '../lib/sum-amounts.ts';

/** Refunds, disputes, and other events of one payment, in any order. */
type GiftEvents = readonly Pick<OutboxEntry, 'kind' | 'id' | 'payload'>[];

/** The total is in minor units. */
export interface GiftHistory {
  readonly total: number;
  readonly events: GiftEvents;
}

/**
 * Returns what was refunded, in minor units: the provider's total if it is larger than the sum of the
 * events, because the event of an earlier refund can be missing, but not if a refund failed after
 * that total.
 */
export function getRefundedAmount(events: GiftEvents): number {
  const hasFailedRefund = events.some(({ kind }) => kind === 'refund_failed');
  const totals = hasFailedRefund ? [] : events.map(({ payload }) => payload.refunded ?? 0);
  return Math.max(sumRefundEvents(events), ...totals);
}

/**
 * Returns what is left of a payment after refunds, in minor units, or 0 if a dispute was lost. An
 * open dispute changes nothing yet.
 */
export function getRemainingAmount({ total, events }: GiftHistory): number {
  if (listDisputeStatuses(events).includes('lost')) return 0;
  return Math.max(total - getRefundedAmount(events), 0);
}

/** Returns the sum of the refunds that have events, in minor units. */
export function sumRefundEvents(events: GiftEvents): number {
  const failed = new Set(
    events.flatMap(({ kind, id }) => (kind === 'refund_failed' ? [parseSubjectId(id)] : [])),
  );
  return sumAmounts(
    events
      .filter(({ kind, id }) => kind === 'refund' && !failed.has(parseSubjectId(id)))
      .map(({ payload }) => payload.amount ?? 0),
  );
}

/** Returns the status of each dispute. */
function listDisputeStatuses(events: GiftEvents): readonly ('open' | 'won' | 'lost')[] {
  const results = new Map<string, 'won' | 'lost'>();
  for (const { kind, id } of events)
    if (kind === 'dispute_won' || kind === 'dispute_lost')
      results.set(parseSubjectId(id), kind === 'dispute_won' ? 'won' : 'lost');
  return events
    .filter(({ kind }) => kind === 'dispute_opened')
    .map(({ id }) => results.get(parseSubjectId(id)) ?? 'open');
}

/**
 * Returns `open` if any dispute is open, otherwise `lost` if any was lost, or `undefined` without
 * disputes.
 */
export function getDisputeStatus(events: GiftEvents): 'open' | 'won' | 'lost' | undefined {
  const statuses = listDisputeStatuses(events);
  return (['open', 'lost', 'won'] as const).find((status) => statuses.includes(status));
}

/** Extracts the subject from an event ID, such as `re_1` from `refund re_1`. */
function parseSubjectId(id: string): string {
  return id.slice(id.indexOf(' ') + 1);
}

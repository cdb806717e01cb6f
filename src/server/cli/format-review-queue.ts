import { getEventKindLabel } from '../admin/read-models/labels.ts';
import type { ReviewItem } from '../admin/read-models/review-items.ts';
import { formatToMinute, formatTable } from './format-table.ts';

/** Formats the donations and events that need review as a table. */
export function formatReviewQueue(items: readonly ReviewItem[]): string {
  return formatTable(
    [
      ['time (UTC)', 'event', 'reference', 'amount', 'to do', 'reason'],
      ...items.map(({ at, kind, reference, amount, currency, status, reason }) => [
        formatToMinute(at),
        getEventKindLabel({ kind }).toLowerCase(),
        reference,
        amount === null ? '' : `${amount} ${currency}`,
        status === 'needs_review' ? 'investigate' : 'enter',
        reason,
      ]),
    ],
    [3],
  );
}

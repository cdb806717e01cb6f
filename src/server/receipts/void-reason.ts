import type { OutboxEntryKind } from '../database/schema.ts';

const REASONS: Readonly<Partial<Record<string, string>>> = {
  payment_settled: 'The payment arrived',
  payment_failed: 'The payment failed',
  refund: 'The donation was refunded',
  refund_failed: 'A refund failed',
  dispute_opened: 'The payment was disputed',
  dispute_won: 'The dispute was won',
  dispute_lost: 'The dispute was lost',
} satisfies Partial<Record<OutboxEntryKind, string>>;

/** Describes the kind of event, or what the staff did, because of which a receipt is void. */
export function describeVoidReason(reason: string): string {
  // The note for a correction can be empty.
  return REASONS[reason] ?? reason.replace(/: $/, '');
}

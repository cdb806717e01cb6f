import type { OutboxEntry } from '../../database/schema.ts';
import { getDisputeStatus, getRefundedAmount } from '../../donations/refunds-and-disputes.ts';
import type { getDonationTotal } from '../../donations/total.ts';
import { formatAmount } from './labels.ts';

/** A refund or dispute after a payment, for display next to the payment's status. */
export interface PaymentOutcome {
  readonly label: string;
  readonly kind: 'refund' | 'dispute-open' | 'dispute-won' | 'dispute-lost';
  /** Detail of a partial refund, such as `10.00 USD refunded`. Otherwise empty. */
  readonly note: string;
}

const DISPUTE_LABELS = { open: 'Disputed', won: 'Dispute won', lost: 'Dispute lost' } as const;

export function listPaymentBadges(
  events: readonly OutboxEntry[],
  { total, currency, decimals }: ReturnType<typeof getDonationTotal>,
): PaymentOutcome[] {
  const refunded = getRefundedAmount(events);
  const dispute = getDisputeStatus(events);
  const outcomes: PaymentOutcome[] = [];
  if (refunded > 0) {
    const isPartial = refunded < total;
    outcomes.push({
      label: isPartial ? 'Partly refunded' : 'Refunded',
      kind: 'refund',
      note: isPartial ? `${formatAmount(refunded, currency, decimals)} refunded` : '',
    });
  }
  if (dispute)
    outcomes.push({ label: DISPUTE_LABELS[dispute], kind: `dispute-${dispute}`, note: '' });
  return outcomes;
}

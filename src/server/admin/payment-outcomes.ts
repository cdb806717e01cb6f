import type { OutboxEvent } from '../database/schema.ts';
import { getDisputeStatus, sumRefunds } from '../reporting/ledger-entries.ts';
import { formatAmount } from './format-amount.ts';

/** A refund or dispute after a payment, for display next to the payment's status. */
export interface PaymentOutcome {
  readonly label: string;
  readonly kind: 'refund' | 'dispute-open' | 'dispute-won' | 'dispute-lost';
  /** Detail, such as `10.00 USD refunded`. Empty if the label says everything. */
  readonly note: string;
}

const DISPUTE_LABELS = { open: 'Disputed', won: 'Dispute won', lost: 'Dispute lost' } as const;

/**
 * Lists the refunds and the dispute of a donation or renewal.
 * @param events all events of the donation or renewal.
 */
export function listPaymentOutcomes(
  events: readonly OutboxEvent[],
  {
    total,
    currency,
    decimals,
  }: { readonly total: number; readonly currency: string; readonly decimals: number },
): PaymentOutcome[] {
  const refunded = sumRefunds({ events });
  const dispute = getDisputeStatus(events);
  return [
    ...(refunded > 0
      ? [
          {
            label: refunded < total ? 'Partly refunded' : 'Refunded',
            kind: 'refund' as const,
            note: refunded < total ? `${formatAmount(refunded, currency, decimals)} refunded` : '',
          },
        ]
      : []),
    ...(dispute === undefined
      ? []
      : [{ label: DISPUTE_LABELS[dispute], kind: `dispute-${dispute}` as const, note: '' }]),
  ];
}

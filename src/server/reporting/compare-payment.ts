import { toMajorUnits } from '@donation-form/core/money';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { ListedPayment, PaymentGateway, PaymentHistory } from '../payments/payment-gateway.ts';
import { describeError } from '../lib/describe-error.ts';
import {
  getDisputeStatus,
  sumRefunds,
  getDonationStatus,
  type LedgerEntry,
} from './ledger-entries.ts';
import {
  mismatch,
  isRecent,
  missing,
  UNFINISHED_AFTER,
  inProgress,
  type Finding,
} from './differences.ts';

export interface PaymentComparisonOptions {
  readonly gateway: PaymentGateway;
  readonly repository: DonationRepository;
  readonly now: number;
}

/** Maps each database status to the matching payment status. */
const SAME: Readonly<Partial<Record<string, ListedPayment['status']>>> = {
  succeeded: 'succeeded',
  pending: 'processing',
};

/**
 * Compares a donation or renewal with its listed payment, or fetches the payment if it is not
 * listed.
 */
export async function comparePayment(
  entry: LedgerEntry,
  payment: ListedPayment | undefined,
  side: PaymentComparisonOptions,
): Promise<Finding[]> {
  const status = getDonationStatus(entry);
  const { reference, first, decimals } = entry;
  if (status === 'needs_review')
    return [
      mismatch(
        'database',
        reference,
        'status',
        `held for a person: ${first.last_error ?? ''}`,
        payment?.status ?? 'payment_settled',
      ),
    ];
  if (!payment) return compareUnlistedPayment(entry, side);
  const findings: Finding[] = [];
  if (payment.total !== entry.total)
    findings.push(
      mismatch(
        'processor',
        reference,
        'amount',
        toMajorUnits(payment.total, decimals),
        toMajorUnits(entry.total, decimals),
      ),
    );
  if (payment.currency !== entry.currency)
    findings.push(mismatch('processor', reference, 'currency', payment.currency, entry.currency));
  const isPaidBack = status === 'failed' && payment.refunded === payment.total;
  if (SAME[status] !== payment.status && !isPaidBack) {
    const isMoving = status !== 'failed' && isRecent(payment.at.getTime(), side.now);
    findings.push(
      isMoving
        ? inProgress(reference, `the processor says ${payment.status}, the database ${status}`)
        : mismatch('database', reference, 'status', status, payment.status),
    );
  }
  if (payment.refunded !== sumRefunds(entry) || payment.dispute !== getDisputeStatus(entry.events))
    findings.push(...(await findMissingEvents(entry, payment.paymentId, side)));
  return findings;
}

/**
 * Compares an entry whose payment is not listed: it may have been made long before or after the
 * donation was accepted.
 */
async function compareUnlistedPayment(
  entry: LedgerEntry,
  { gateway, now }: PaymentComparisonOptions,
): Promise<Finding[]> {
  const { reference, first, at, paymentId } = entry;
  const status = getDonationStatus(entry);
  if (status === 'failed') return [];
  if (status === 'unconfirmed' || status === 'requires_action')
    return [
      now - at < UNFINISHED_AFTER
        ? inProgress(reference, `the database says ${status}`)
        : mismatch('database', reference, 'status', status, 'charged or declined'),
    ];
  if (paymentId === null)
    return [missing('processor', reference, 'gift', 'no payment is known', status)];
  try {
    const payment = await gateway.retrieve({
      paymentId,
      ...(first.subscription_id !== null && { subscriptionId: first.subscription_id }),
    });
    return payment.status === SAME[status]
      ? []
      : [mismatch('processor', reference, 'status', payment.status, status)];
  } catch (error) {
    return [missing('processor', reference, 'gift', describeError(error).error, status)];
  }
}

/** Finds payment events that the database does not have. */
async function findMissingEvents(
  { reference, decimals }: LedgerEntry,
  paymentId: string,
  { gateway, repository, now }: PaymentComparisonOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const paymentEvent of (await gateway.listEvents!(paymentId)).events) {
    if (!('amount' in paymentEvent) || (await repository.outbox.findById(paymentEvent.id)))
      continue;
    const { kind, amount, at } = paymentEvent;
    const isMoving = kind === 'refund' && isRecent(at.getTime(), now);
    findings.push(
      isMoving
        ? inProgress(reference, `a ${kind} of ${toMajorUnits(amount, decimals)}`)
        : missing('database', reference, kind, 'not heard of', toMajorUnits(amount, decimals)),
    );
  }
  return findings;
}

/** Returns the renewal event of a payment, if it has one. */
export function findRenewalEvent({
  events: paymentEvents,
}: PaymentHistory): Extract<PaymentHistory['events'][number], { kind: 'renewal' }> | undefined {
  return paymentEvents.find((paymentEvent) => paymentEvent.kind === 'renewal');
}

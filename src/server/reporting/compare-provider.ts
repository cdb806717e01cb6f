import type { DonationStatus } from '@donation-form/core/donation';
import { toMajorUnits } from '@donation-form/core/money';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { ListedPayment, PaymentGateway, PaymentHistory } from '../payments/payment-gateway.ts';
import { describeError } from '../lib/describe-error.ts';
import { getDonationStatus, type LedgerEntry } from './ledger-entries.ts';
import { getDisputeStatus, sumRefunds } from '../donations/refunds-and-disputes.ts';
import {
  createMismatchFinding,
  isRecent,
  createMissingFinding,
  MAX_UNFINISHED_AGE,
  createInProgressFinding,
  type Finding,
} from './differences.ts';

export interface PaymentComparisonOptions {
  readonly gateway: PaymentGateway;
  readonly repository: DonationRepository;
  readonly now: number;
}

/**
 * Expected payment status at the payment provider for each donation status. Other donation statuses
 * have no match.
 */
const PAYMENT_STATUS: Readonly<Partial<Record<DonationStatus, ListedPayment['status']>>> = {
  succeeded: 'succeeded',
  processing: 'processing',
};

/**
 * Compares a donation or renewal with its payment. Fetches the payment if the provider did not list
 * it.
 */
export async function compareWithProvider(
  entry: LedgerEntry,
  payment: ListedPayment | undefined,
  options: PaymentComparisonOptions,
): Promise<Finding[]> {
  const status = getDonationStatus(entry);
  const { reference, donation, decimals } = entry;
  if (status === 'needs_review')
    return [
      createMismatchFinding(
        'database',
        reference,
        'status',
        `needs review: ${donation.lastError ?? ''}`,
        payment?.status ?? 'payment_settled',
      ),
    ];
  if (!payment) return compareUnlistedPayment(entry, options);
  const findings: Finding[] = [];
  if (payment.total !== entry.total)
    findings.push(
      createMismatchFinding(
        'payment-provider',
        reference,
        'amount',
        toMajorUnits(payment.total, decimals),
        toMajorUnits(entry.total, decimals),
      ),
    );
  if (payment.currency !== entry.currency)
    findings.push(
      createMismatchFinding(
        'payment-provider',
        reference,
        'currency',
        payment.currency,
        entry.currency,
      ),
    );
  const isFullyRefunded = status === 'failed' && payment.refunded === payment.total;
  if (PAYMENT_STATUS[status] !== payment.status && !isFullyRefunded) {
    const mayBeInProgress = status !== 'failed' && isRecent(payment.at.getTime(), options.now);
    findings.push(
      mayBeInProgress
        ? createInProgressFinding(
            reference,
            `${payment.status} at the payment provider, ${status} in the database`,
          )
        : createMismatchFinding('database', reference, 'status', status, payment.status),
    );
  }
  if (payment.refunded !== sumRefunds(entry) || payment.dispute !== getDisputeStatus(entry.events))
    findings.push(...(await compareEvents(entry, payment.paymentId, options)));
  return findings;
}

/**
 * Fetches and compares a payment that the provider did not list. The payment might have been made
 * long before or after the server accepted the donation.
 */
async function compareUnlistedPayment(
  entry: LedgerEntry,
  { gateway, now }: PaymentComparisonOptions,
): Promise<Finding[]> {
  const { reference, donation, createdAt, paymentId } = entry;
  const status = getDonationStatus(entry);
  if (status === 'failed') return [];
  if (status === 'unconfirmed' || status === 'requires_action')
    return [
      now - createdAt < MAX_UNFINISHED_AGE
        ? createInProgressFinding(reference, `${status} in the database`)
        : createMismatchFinding('database', reference, 'status', status, 'succeeded or failed'),
    ];
  if (paymentId === null)
    return [
      createMissingFinding(
        'payment-provider',
        reference,
        'donation',
        'no payment ID in the database',
        status,
      ),
    ];
  try {
    const payment = await gateway.retrievePayment({
      paymentId,
      ...(donation.subscriptionId !== null && { subscriptionId: donation.subscriptionId }),
    });
    return payment.status === PAYMENT_STATUS[status]
      ? []
      : [createMismatchFinding('payment-provider', reference, 'status', payment.status, status)];
  } catch (error) {
    return [
      createMissingFinding(
        'payment-provider',
        reference,
        'donation',
        describeFailedRetrieval(error),
        status,
      ),
    ];
  }
}

function describeFailedRetrieval(error: unknown): string {
  const { status, error: name } = describeError(error);
  return status === 404 ? 'no such payment' : name;
}

/**
 * Fetches a payment's events. Returns a finding for each event that has an amount and is missing
 * from the database.
 */
async function compareEvents(
  { reference, decimals }: LedgerEntry,
  paymentId: string,
  { gateway, repository, now }: PaymentComparisonOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const paymentEvent of (await gateway.listEvents!(paymentId)).events) {
    if (!('amount' in paymentEvent) || (await repository.outbox.findById(paymentEvent.id)))
      continue;
    const { kind, amount, at } = paymentEvent;
    const mayBeInProgress = kind === 'refund' && isRecent(at.getTime(), now);
    findings.push(
      mayBeInProgress
        ? createInProgressFinding(reference, `a ${kind} of ${toMajorUnits(amount, decimals)}`)
        : createMissingFinding(
            'database',
            reference,
            kind,
            'not saved',
            toMajorUnits(amount, decimals),
          ),
    );
  }
  return findings;
}

/** Returns a payment's renewal event, if it has one. */
export function findRenewalEvent({
  events: paymentEvents,
}: PaymentHistory): Extract<PaymentHistory['events'][number], { kind: 'renewal' }> | undefined {
  return paymentEvents.find((paymentEvent) => paymentEvent.kind === 'renewal');
}

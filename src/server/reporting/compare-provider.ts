import type { DonationStatus } from '@donation-form/core/donation';
import { toMajorUnits } from '@donation-form/core/money';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { getDisputeStatus, sumRefundEvents } from '../donations/refunds-and-disputes.ts';
import { describeError } from '../lib/describe-error.ts';
import type { ListedPayment, PaymentGateway, PaymentHistory } from '../payments/payment-gateway.ts';
import { createFindings, type Finding, isRecent, MAX_UNFINISHED_AGE } from './differences.ts';
import { getDonationStatus, type LedgerEntry } from './ledger-entries.ts';

export interface PaymentComparisonOptions {
  readonly gateway: PaymentGateway;
  readonly repository: DonationRepository;
  readonly now: number;
}

/** Expected payment status for each donation status. Others have no match. */
const PAYMENT_STATUS: Readonly<Partial<Record<DonationStatus, ListedPayment['status']>>> = {
  succeeded: 'succeeded',
  processing: 'processing',
};

/** Compares a donation or renewal with its payment. Fetches a payment that was not listed. */
export async function compareWithProvider(
  entry: LedgerEntry,
  payment: ListedPayment | undefined,
  options: PaymentComparisonOptions,
): Promise<Finding[]> {
  const status = getDonationStatus(entry);
  const { reference, donation, decimals } = entry;
  const { createInProgress, createMismatch } = createFindings(reference);
  if (status === 'needs_review') {
    const found = `needs review: ${donation.lastError ?? ''}`;
    return [createMismatch('database', 'status', found, payment?.status ?? 'payment_settled')];
  }
  if (!payment) return compareUnlistedPayment(entry, options);
  const findings: Finding[] = [];
  if (payment.total !== entry.total) {
    const amounts = [payment.total, entry.total].map((total) => toMajorUnits(total, decimals));
    findings.push(createMismatch('payment-provider', 'amount', ...(amounts as [string, string])));
  }
  if (payment.currency !== entry.currency)
    findings.push(createMismatch('payment-provider', 'currency', payment.currency, entry.currency));
  const isFullyRefunded = status === 'failed' && payment.refunded === payment.total;
  if (PAYMENT_STATUS[status] !== payment.status && !isFullyRefunded) {
    const mayBeInProgress = status !== 'failed' && isRecent(payment.at.getTime(), options.now);
    findings.push(
      mayBeInProgress
        ? createInProgress(`${payment.status} at the payment provider, ${status} in the database`)
        : createMismatch('database', 'status', status, payment.status),
    );
  }
  const { events } = entry;
  if (payment.refunded !== sumRefundEvents(events) || payment.dispute !== getDisputeStatus(events))
    findings.push(...(await compareEvents(entry, payment.paymentId, options)));
  return findings;
}

/** The payment might have been made long before or after the server accepted the donation. */
async function compareUnlistedPayment(
  entry: LedgerEntry,
  { gateway, now }: PaymentComparisonOptions,
): Promise<Finding[]> {
  const { reference, donation, createdAt, paymentId } = entry;
  const { createInProgress, createMismatch, createMissing } = createFindings(reference);
  const status = getDonationStatus(entry);
  if (status === 'failed') return [];
  if (status === 'unconfirmed' || status === 'requires_action')
    return [
      now - createdAt < MAX_UNFINISHED_AGE
        ? createInProgress(`${status} in the database`)
        : createMismatch('database', 'status', status, 'succeeded or failed'),
    ];
  if (paymentId === null) {
    const found = 'no payment ID in the database';
    return [createMissing('payment-provider', 'donation', found, status)];
  }
  try {
    const payment = await gateway.retrievePayment({
      paymentId,
      ...(donation.subscriptionId !== null && { subscriptionId: donation.subscriptionId }),
    });
    return payment.status === PAYMENT_STATUS[status]
      ? []
      : [createMismatch('payment-provider', 'status', payment.status, status)];
  } catch (error) {
    const { status: code, error: name } = describeError(error);
    const found = code === 404 ? 'no such payment' : name;
    return [createMissing('payment-provider', 'donation', found, status)];
  }
}

/** Returns a finding for each event that has an amount and is missing from the database. */
async function compareEvents(
  { reference, decimals }: LedgerEntry,
  paymentId: string,
  { gateway, repository, now }: PaymentComparisonOptions,
): Promise<Finding[]> {
  const { createInProgress, createMissing } = createFindings(reference);
  const findings: Finding[] = [];
  for (const paymentEvent of (await gateway.listEvents!(paymentId)).events) {
    if (!('amount' in paymentEvent) || (await repository.outbox.findById(paymentEvent.id)))
      continue;
    const { kind, at } = paymentEvent;
    const amount = toMajorUnits(paymentEvent.amount, decimals);
    findings.push(
      kind === 'refund' && isRecent(at.getTime(), now)
        ? createInProgress(`a ${kind} of ${amount}`)
        : createMissing('database', kind, 'not saved', amount),
    );
  }
  return findings;
}

export function findRenewalEvent({ events }: PaymentHistory) {
  return events.find((paymentEvent) => paymentEvent.kind === 'renewal');
}

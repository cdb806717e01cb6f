import { majorUnits } from '@donation-form/core/money';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { ListedPayment, PaymentGateway, PaymentHistory } from '../payments/payment-gateway.ts';
import { describeError } from '../lib/describe-error.ts';
import { disputeOf, refundedOf, stateOf, type Entry } from './ledger-entries.ts';
import {
  mismatch,
  isRecent,
  missing,
  UNFINISHED_AFTER,
  inProgress,
  type Finding,
} from './differences.ts';

export interface PaymentSide {
  readonly gateway: PaymentGateway;
  readonly repository: DonationRepository;
  readonly now: number;
}

/** How the states of the journal and of the processor go together. */
const SAME: Readonly<Partial<Record<string, ListedPayment['state']>>> = {
  charged: 'succeeded',
  pending: 'pending',
};

/**
 * Compares a gift or renewal with its payment as the processor lists it; where it lists none, with
 * what it says when it is asked.
 */
export async function comparePayment(
  entry: Entry,
  payment: ListedPayment | undefined,
  side: PaymentSide,
): Promise<Finding[]> {
  const state = stateOf(entry);
  const { reference, first, decimals } = entry;
  if (state === 'held')
    return [
      mismatch(
        'journal',
        reference,
        'status',
        `held for a person: ${first.last_error ?? ''}`,
        payment?.state ?? 'settled',
      ),
    ];
  if (!payment) return compareUnlisted(entry, side);
  const findings: Finding[] = [];
  if (payment.total !== entry.total)
    findings.push(
      mismatch(
        'processor',
        reference,
        'amount',
        majorUnits(payment.total, decimals),
        majorUnits(entry.total, decimals),
      ),
    );
  if (payment.currency !== entry.currency)
    findings.push(mismatch('processor', reference, 'currency', payment.currency, entry.currency));
  const isPaidBack = state === 'declined' && payment.refunded === payment.total;
  if (SAME[state] !== payment.state && !isPaidBack) {
    const isMoving = state !== 'declined' && isRecent(payment.at.getTime(), side.now);
    findings.push(
      isMoving
        ? inProgress(reference, `the processor says ${payment.state}, the journal ${state}`)
        : mismatch('journal', reference, 'status', state, payment.state),
    );
  }
  if (payment.refunded !== refundedOf(entry) || payment.dispute !== disputeOf(entry.events))
    findings.push(...(await findLost(entry, payment.paymentId, side)));
  return findings;
}

/**
 * The processor lists no payment of it: it may have been made long before or after the gift was
 * accepted.
 */
async function compareUnlisted(entry: Entry, { gateway, now }: PaymentSide): Promise<Finding[]> {
  const { reference, first, at, paymentId } = entry;
  const state = stateOf(entry);
  if (state === 'declined') return [];
  if (state === 'charging' || state === 'action')
    return [
      now - at < UNFINISHED_AFTER
        ? inProgress(reference, `the journal says ${state}`)
        : mismatch('journal', reference, 'status', state, 'charged or declined'),
    ];
  if (paymentId === null)
    return [missing('processor', reference, 'gift', 'no payment is known', state)];
  try {
    const payment = await gateway.retrieve({
      paymentId,
      ...(first.subscription_id !== null && { subscriptionId: first.subscription_id }),
    });
    return payment.state === SAME[state]
      ? []
      : [mismatch('processor', reference, 'status', payment.state, state)];
  } catch (error) {
    return [missing('processor', reference, 'gift', describeError(error).error, state)];
  }
}

/** What the processor tells of a payment and the journal never heard. */
async function findLost(
  { reference, decimals }: Entry,
  paymentId: string,
  { gateway, repository, now }: PaymentSide,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const paymentEvent of (await gateway.listEvents!(paymentId)).events) {
    if (!('amount' in paymentEvent) || (await repository.outbox.findById(paymentEvent.id)))
      continue;
    const { kind, amount, at } = paymentEvent;
    const isMoving = kind === 'refund' && isRecent(at.getTime(), now);
    findings.push(
      isMoving
        ? inProgress(reference, `a ${kind} of ${majorUnits(amount, decimals)}`)
        : missing('journal', reference, kind, 'not heard of', majorUnits(amount, decimals)),
    );
  }
  return findings;
}

/** The renewal that a payment is, where it is one. */
export function renewalIn({
  events: paymentEvents,
}: PaymentHistory): Extract<PaymentHistory['events'][number], { kind: 'renewal' }> | undefined {
  return paymentEvents.find((paymentEvent) => paymentEvent.kind === 'renewal');
}

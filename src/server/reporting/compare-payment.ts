import { majorUnits } from '@donation-form/core/money';
import type { Journal } from '../donations/donation-repository.ts';
import type { ListedPayment, PaymentGateway, Trace } from '../payments/payment-gateway.ts';
import { aboutError } from '../lib/describe-error.ts';
import { disputeOf, refundedOf, stateOf, type Entry } from './ledger-entries.ts';
import {
  different,
  isYoung,
  missing,
  UNFINISHED_AFTER,
  underWay,
  type Finding,
} from './differences.ts';

export interface PaymentSide {
  readonly gateway: PaymentGateway;
  readonly journal: Journal;
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
      different(
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
      different(
        'processor',
        reference,
        'amount',
        majorUnits(payment.total, decimals),
        majorUnits(entry.total, decimals),
      ),
    );
  if (payment.currency !== entry.currency)
    findings.push(different('processor', reference, 'currency', payment.currency, entry.currency));
  const isPaidBack = state === 'declined' && payment.refunded === payment.total;
  if (SAME[state] !== payment.state && !isPaidBack) {
    const isMoving = state !== 'declined' && isYoung(payment.at.getTime(), side.now);
    findings.push(
      isMoving
        ? underWay(reference, `the processor says ${payment.state}, the journal ${state}`)
        : different('journal', reference, 'status', state, payment.state),
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
        ? underWay(reference, `the journal says ${state}`)
        : different('journal', reference, 'status', state, 'charged or declined'),
    ];
  if (paymentId === null)
    return [missing('processor', reference, 'gift', 'no payment is known', state)];
  try {
    const payment = await gateway.status({
      paymentId,
      ...(first.subscription_id !== null && { subscriptionId: first.subscription_id }),
    });
    return payment.state === SAME[state]
      ? []
      : [different('processor', reference, 'status', payment.state, state)];
  } catch (error) {
    return [missing('processor', reference, 'gift', aboutError(error).error, state)];
  }
}

/** What the processor tells of a payment and the journal never heard. */
async function findLost(
  { reference, decimals }: Entry,
  paymentId: string,
  { gateway, journal, now }: PaymentSide,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const happening of (await gateway.trace!(paymentId)).happenings) {
    if (!('amount' in happening) || (await journal.events.byId(happening.id))) continue;
    const { kind, amount, at } = happening;
    const isMoving = kind === 'refund' && isYoung(at.getTime(), now);
    findings.push(
      isMoving
        ? underWay(reference, `a ${kind} of ${majorUnits(amount, decimals)}`)
        : missing('journal', reference, kind, 'not heard of', majorUnits(amount, decimals)),
    );
  }
  return findings;
}

/** The renewal that a payment is, where it is one. */
export function renewalIn({
  happenings,
}: Trace): Extract<Trace['happenings'][number], { kind: 'renewal' }> | undefined {
  return happenings.find((happening) => happening.kind === 'renewal');
}

import type { RecurringState } from '@donation-form/core/donation';
import type { Logger } from '../lib/logger.ts';
import type { PaymentService } from './payment-service.ts';
import type { EventKind } from '../database/schema.ts';
import type { DonationRepository } from './donation-repository.ts';
import type { EventDetail } from './event-mapper.ts';
import type { PaymentEvent } from '../payments/payment-gateway.ts';
import { Problem } from '../lib/problem.ts';

export interface ApplyPaymentEventsOptions {
  readonly organization: string;
  /** Who tells: of other providers' payments it has nothing to say. */
  readonly provider: string;
  readonly repository: DonationRepository;
  readonly charging: PaymentService;
  readonly log: Logger;
  /**
   * It is told so late that the platform may know of it already: renewals are looked up before they
   * are recorded.
   */
  readonly isLate?: boolean;
}

const RECURRING_EVENTS: Readonly<Record<RecurringState, EventKind>> = {
  active: 'resumption',
  retrying: 'renewal-failed',
  suspended: 'suspension',
  cancelled: 'cancellation',
};

/**
 * Keeps what the processor tells of gifts after they were given, each thing once, in whatever order
 * and however often it is told.
 * What is told of payments that are none of ours, since the same account sells tickets, is passed
 * over.
 * @throws {Problem} unavailable, where a renewal has to be told again: the store is a copy, and
 *   the numbers of the renewals since then are not known yet.
 */
export async function applyPaymentEvents(
  paymentEvents: readonly PaymentEvent[],
  options: ApplyPaymentEventsOptions,
): Promise<void> {
  for (const paymentEvent of paymentEvents)
    await ('subscriptionId' in paymentEvent
      ? keepRecurring(paymentEvent, options)
      : applyToPayment(paymentEvent, options));
}

async function applyToPayment(
  paymentEvent: Exclude<PaymentEvent, { subscriptionId: string }>,
  options: ApplyPaymentEventsOptions,
): Promise<void> {
  const { organization, provider, repository, charging } = options;
  const found = await repository.findByPayment(organization, paymentEvent.paymentId);
  const gift = found?.payload.payment.provider === provider ? found : undefined;
  if (gift && gift.state !== 'charged') await charging.refresh(gift);
  if (paymentEvent.kind === 'payment') return;
  const entry =
    gift ?? (await repository.outbox.findRenewalByPayment(organization, paymentEvent.paymentId));
  if (!entry) return;
  const { kind, id, amount, at } = paymentEvent;
  const parent = 'parent' in entry ? entry.parent : null;
  await repository.outbox.insert(organization, [
    {
      id,
      kind,
      reference: entry.reference,
      parent,
      detail: write({
        at: at.getTime(),
        amount,
        ...('refunded' in paymentEvent && { refunded: paymentEvent.refunded }),
      }),
    },
  ]);
}

async function keepRecurring(
  paymentEvent: Extract<PaymentEvent, { subscriptionId: string }>,
  options: ApplyPaymentEventsOptions,
): Promise<void> {
  const { organization, provider, repository, charging, log, isLate } = options;
  const { id, subscriptionId, at } = paymentEvent;
  const found = await repository.findBySubscription(organization, subscriptionId);
  if (found?.payload.payment.provider !== provider) return;
  const first =
    found.state === 'charging' || found.state === 'action'
      ? (await charging.refresh(found)).donation
      : found;
  const { reference } = first;
  if (paymentEvent.kind === 'renewal') {
    const { paymentId, total, method } = paymentEvent.payment;
    if (first.restored_at !== null && !isLate && !(await repository.outbox.findById(id))) {
      log.error(
        { reference, paymentId },
        'a renewal waits until reconcile --take has run, since the store is a copy',
      );
      throw new Problem(
        'unavailable',
        'The store is a copy, and the renewals since it was made are not known yet. Run donation-form reconcile --take, and send this again.',
      );
    }
    if (first.state !== 'charged')
      log.error(
        { reference, paymentId, state: first.state },
        'a gift was renewed whose first payment is not known to have succeeded',
      );
    return repository.outbox.insertRenewal(first, {
      id,
      paymentId,
      mayBeRecorded: isLate,
      detail: write({ at: at.getTime(), amount: total ?? 0, method }),
    });
  }
  // A recurring gift that never began has not ended either.
  if (!['charged', 'pending', 'held'].includes(first.state)) return;
  return repository.outbox.insertSubscriptionChange(first, paymentEvent.status, {
    id,
    kind: RECURRING_EVENTS[paymentEvent.status],
    reference,
    detail: write({ at: at.getTime() }),
  });
}

function write(detail: EventDetail): string {
  return JSON.stringify(detail);
}

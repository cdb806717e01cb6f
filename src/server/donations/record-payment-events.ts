import type { Donation, OutboxEntry } from '../database/schema.ts';
import type { Logger } from '../lib/logger.ts';
import { Problem } from '../lib/problem.ts';
import type { PaymentEvent } from '../payments/payment-gateway.ts';
import type { DonationRepository } from './donation-repository.ts';
import type { NewEntry } from './outbox-entries.ts';
import type { PaymentService } from './payment-service.ts';
import { isReference } from './reference.ts';
import { isUnfinished } from './transition.ts';

export interface RecordPaymentEventsOptions {
  readonly organization: string;
  /** The sender, whose events about donations through other providers are ignored. */
  readonly provider: string;
  readonly repository: DonationRepository;
  readonly paymentService: PaymentService;
  readonly log: Logger;
  /** True for old events: the platform may already have recorded these renewals. */
  readonly isLate?: boolean;
}

/**
 * Records each payment event exactly once, even if events are repeated or arrive out of order.
 * Ignores payments that we did not create, such as ticket sales through the same account.
 * @throws {Problem} unavailable, for a renewal in a restored database. The number of renewals since
 *   the backup is unknown, so the provider must send the event again later.
 */
export async function recordPaymentEvents(
  paymentEvents: readonly PaymentEvent[],
  options: RecordPaymentEventsOptions,
): Promise<void> {
  for (const paymentEvent of paymentEvents)
    await ('subscriptionId' in paymentEvent
      ? recordSubscriptionEvent(paymentEvent, options)
      : recordPaymentEvent(paymentEvent, options));
}

async function recordPaymentEvent(
  paymentEvent: Exclude<PaymentEvent, { subscriptionId: string }>,
  options: RecordPaymentEventsOptions,
): Promise<void> {
  const { organization, provider, repository, paymentService } = options;
  const found = await repository.findByPayment(organization, paymentEvent.paymentId);
  const donation = found?.payload.payment.provider === provider ? found : undefined;
  if (donation && donation.status !== 'succeeded')
    await paymentService.syncLatestDonation(donation);
  if (paymentEvent.kind === 'payment') return;
  const entry =
    donation ?? (await repository.outbox.findRenewal(organization, paymentEvent.paymentId));
  if (!entry) return;
  await repository.outbox.insertEntries(organization, [toOutboxEntry(paymentEvent, entry)]);
}

/** Repeated reports of the same refund or dispute get the same ID. */
export function toOutboxEntry(
  paymentEvent: Extract<PaymentEvent, { paymentId: string; id: string }>,
  entry: Pick<Donation, 'reference'> | Pick<OutboxEntry, 'reference' | 'parentReference'>,
): NewEntry {
  const { kind, id, amount, at } = paymentEvent;
  return {
    id,
    kind,
    reference: entry.reference,
    parentReference: 'parentReference' in entry ? entry.parentReference : null,
    payload: {
      at: at.getTime(),
      amount,
      ...('refunded' in paymentEvent && { refunded: paymentEvent.refunded }),
    },
  };
}

async function recordSubscriptionEvent(
  paymentEvent: Extract<PaymentEvent, { subscriptionId: string }>,
  options: RecordPaymentEventsOptions,
): Promise<void> {
  const { organization, provider, repository, paymentService, log, isLate } = options;
  const { id, subscriptionId, at } = paymentEvent;
  const found = await repository.findBySubscription(organization, subscriptionId);
  if (!found && paymentEvent.kind === 'renewal') await logUnknownRenewal(paymentEvent, options);
  if (found?.payload.payment.provider !== provider) return;
  const first = isUnfinished(found)
    ? (await paymentService.syncLatestDonation(found)).donation
    : found;
  const { reference } = first;
  if (paymentEvent.kind === 'renewal') {
    const { paymentId, total, method } = paymentEvent.payment;
    if (first.restoredAt !== null && !isLate && !(await repository.outbox.findById(id))) {
      log.error(
        { reference, paymentId },
        'renewal rejected: the database was restored from a backup; ' +
          'run donation-form reconcile --apply',
      );
      throw new Problem(
        'unavailable',
        'The database was restored from a backup, and renewals since the backup may be missing. ' +
          'Run "donation-form reconcile --apply", and then send this event again.',
      );
    }
    if (first.status !== 'succeeded')
      log.error(
        { reference, paymentId, status: first.status },
        'renewal received for a donation whose first payment has not succeeded',
      );
    const payload = { at: at.getTime(), ...(total !== undefined && { amount: total }), method };
    return repository.outbox.insertRenewal(first, { id, paymentId, payload }, isLate);
  }
  await repository.applyTrigger(
    first,
    { type: 'subscription_changed', status: paymentEvent.status },
    { outboxEntry: { id, payload: { at: at.getTime() }, dispatchedAt: null } },
  );
}

/** Logs a renewal of our subscription that no organization in the database has. */
async function logUnknownRenewal(
  { reference = '', payment: { paymentId } }: Extract<PaymentEvent, { kind: 'renewal' }>,
  { organization, repository, log }: RecordPaymentEventsOptions,
): Promise<void> {
  if (!isReference(reference)) return;
  const donation = await repository.findByReference(reference);
  if (donation && donation.organization !== organization) return;
  log.error(
    { reference, paymentId },
    'renewal ignored: its subscription is not in the database; if no other installation uses this ' +
      'account, restore a backup that has the subscription, and then run ' +
      'donation-form reconcile --apply',
  );
}

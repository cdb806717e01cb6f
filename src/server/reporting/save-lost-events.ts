import type { DonationService } from '../donations/donation-service.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { PaymentGateway } from '../payments/payment-gateway.ts';
import type { LedgerEntry } from './ledger-entries.ts';
import type { ReportLine } from './report.ts';

/** A payment whose webhooks were lost. */
export interface LostPayment {
  readonly provider: string;
  readonly paymentId: string;
  /** The donation or renewal, if the database has it. */
  readonly entry?: LedgerEntry;
}

/** Saves the events of a payment whose webhooks were lost. @returns a line for each change. */
export async function saveLostEvents(
  { provider, paymentId, entry }: LostPayment,
  gateway: PaymentGateway,
  {
    donations,
    repository,
  }: { readonly donations: DonationService; readonly repository: DonationRepository },
): Promise<ReportLine[]> {
  const donation = entry?.renewal ? undefined : entry?.donation;
  const { events: paymentEvents } = await gateway.listEvents!(paymentId);
  const newIds: string[] = [];
  for (const paymentEvent of paymentEvents)
    if (
      'id' in paymentEvent &&
      paymentEvent.kind !== 'subscription' &&
      !(await repository.outbox.findById(paymentEvent.id))
    )
      newIds.push(paymentEvent.id);
  await donations.recordPaymentEvents(
    provider,
    paymentEvents.map((paymentEvent) =>
      paymentEvent.kind === 'payment' && donation?.paymentId != null
        ? { ...paymentEvent, paymentId: donation.paymentId }
        : paymentEvent,
    ),
    true,
  );
  if (donation?.status === 'failed' && donation.paymentId === null)
    await repository.markNeedsReview(
      donation,
      { paymentId, subscriptionId: null, paymentMethod: null },
      `payment ${paymentId} succeeded after the donation was marked as failed; accept or refund it`,
    );
  const applied: ReportLine[] = [];
  for (const id of newIds) {
    const event = await repository.outbox.findById(id);
    if (event) applied.push({ kind: 'applied', reference: event.reference, change: event.kind });
  }
  const status = donation && (await repository.findByReference(donation.reference))?.status;
  if (donation && status && status !== donation.status)
    applied.push({
      kind: 'applied',
      reference: donation.reference,
      change: `${donation.status} → ${status}`,
    });
  return applied;
}

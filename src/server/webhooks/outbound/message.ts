import { containsPersonalData } from '@donation-form/core/donor';
import type { OutboundWebhookEvent, OutboundWebhookMessage } from '@donation-form/core/schemas';
import type { Donation, OutboxEntryKind } from '../../database/schema.ts';
import type { EntryContext } from '../../donations/outbox-entries.ts';
import { getDonationTotal } from '../../donations/total.ts';

const EVENTS_BY_KIND: Readonly<Partial<Record<OutboxEntryKind, OutboundWebhookEvent>>> = {
  donation: 'donation.succeeded',
  payment_settled: 'donation.succeeded',
  payment_failed: 'donation.failed',
  renewal: 'donation.renewed',
  refund: 'donation.refunded',
  refund_failed: 'donation.refund_failed',
  dispute_opened: 'donation.disputed',
  dispute_won: 'donation.dispute_won',
  dispute_lost: 'donation.dispute_lost',
  subscription_canceled: 'subscription.ended',
};

/** @param status the donation's status, for an event of kind `donation`. */
export function getWebhookEventType(
  kind: OutboxEntryKind,
  status: Donation['status'] | undefined,
): OutboundWebhookEvent | undefined {
  return kind === 'donation' && status === 'processing'
    ? 'donation.processing'
    : EVENTS_BY_KIND[kind];
}

/** Creates the same message for every attempt. Copies only fields without personal data. */
export function createWebhookMessage(
  type: OutboundWebhookEvent,
  { event, donation, renewal }: EntryContext,
): OutboundWebhookMessage {
  const { gift, form, tracking = {}, decimals, projects, isTest } = donation.payload;
  const { at = event.createdAt, amount: eventAmount, refunded } = event.payload;
  const isAboutRenewal = event.parentReference !== null;
  const { total } = getDonationTotal(donation, renewal);
  const hasOriginalTotal = total === gift.total;
  const isChange = event.kind !== 'renewal' && eventAmount !== undefined;
  return {
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      reference: event.reference,
      ...(isAboutRenewal && { parent: donation.reference }),
      organization: event.organization,
      form: form.id,
      isTest,
      currency: gift.currency,
      decimals,
      amount: hasOriginalTotal ? gift.amount : total,
      coveredFees: hasOriginalTotal ? gift.coveredFees : 0,
      total,
      frequency: gift.frequency,
      projects: hasOriginalTotal
        ? gift.projects.map(({ id, amount }, index) => ({
            id,
            ...(projects[index]?.code !== undefined && { code: projects[index].code }),
            amount,
          }))
        : [],
      ...(gift.segment !== undefined &&
        !containsPersonalData(gift.segment) && { segment: gift.segment }),
      tracking: Object.fromEntries(
        Object.entries(tracking).filter(([, value]) => !containsPersonalData(value)),
      ),
      language: form.language,
      ...(form.page !== undefined && !containsPersonalData(form.page) && { page: form.page }),
      ...(isChange && { changed: eventAmount }),
      ...(refunded !== undefined && { refunded }),
    },
  };
}

import type { OutboundWebhookEvent, OutboundWebhookMessage } from '@donation-form/core/schemas';
import { containsPersonalData } from '@donation-form/core/donor';
import type { OutboxEventKind, OutboxEvent, Donation } from '../../database/schema.ts';

const EVENTS: Readonly<Partial<Record<OutboxEventKind, OutboundWebhookEvent>>> = {
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

/**
 * What the site is told of something that happened; `undefined` where that is nothing.
 * @param status of the gift's payment when it happened.
 */
export function toOutboundWebhookEvent(
  kind: OutboxEventKind,
  status: Donation['status'] | undefined,
): OutboundWebhookEvent | undefined {
  return kind === 'donation' && status === 'processing' ? 'donation.processing' : EVENTS[kind];
}

/** What a message is about. */
export interface Subject {
  readonly event: OutboxEvent;
  readonly first: Donation;
  /** The renewal that it happened to, or is. */
  readonly renewal: OutboxEvent | undefined;
}

/**
 * The message of an event, always the same one. Its fields are named one by one: what a gift has
 * beside them names its donor, or may.
 */
export function createWebhookMessage(
  type: OutboundWebhookEvent,
  { event, first, renewal }: Subject,
): OutboundWebhookMessage {
  const { gift, form, tracking = {}, decimals, projects, isTest } = first.payload;
  const { at = event.created_at, amount: sum, refunded } = event.payload;
  const isAboutRenewal = event.parent_reference !== null;
  const total = renewal?.payload.amount ?? gift.total;
  const isWhole = total === gift.total;
  const isChange = event.kind !== 'renewal' && sum !== undefined;
  return {
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      reference: event.reference,
      ...(isAboutRenewal && { parent: first.reference }),
      organization: event.organization,
      form: form.id,
      isTest,
      currency: gift.currency,
      decimals,
      amount: isWhole ? gift.amount : total,
      coveredFees: isWhole ? gift.coveredFees : 0,
      total,
      frequency: gift.frequency,
      projects: isWhole
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
      ...(isChange && { changed: sum }),
      ...(refunded !== undefined && { refunded }),
    },
  };
}

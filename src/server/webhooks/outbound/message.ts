import type { SiteEvent, SiteWebhookMessage } from '@donation-form/core/schemas';
import { namesSomebody } from '@donation-form/core/donor';
import { readDetail } from '../../donations/event-mapper.ts';
import type { EventKind, EventRow, Donation } from '../../database/schema.ts';

const EVENTS: Readonly<Partial<Record<EventKind, SiteEvent>>> = {
  gift: 'gift.succeeded',
  settled: 'gift.succeeded',
  failed: 'gift.failed',
  renewal: 'gift.renewed',
  refund: 'gift.refunded',
  'refund-failed': 'gift.refund_failed',
  'dispute-opened': 'gift.disputed',
  'dispute-won': 'gift.dispute_won',
  'dispute-lost': 'gift.dispute_lost',
  cancellation: 'recurring.ended',
};

/**
 * What the site is told of something that happened; `undefined` where that is nothing.
 * @param state of the gift's payment when it happened.
 */
export function siteEventOf(
  kind: EventKind,
  state: Donation['state'] | undefined,
): SiteEvent | undefined {
  return kind === 'gift' && state === 'pending' ? 'gift.pending' : EVENTS[kind];
}

/** What a message is about. */
export interface Subject {
  readonly event: EventRow;
  readonly first: Donation;
  /** The renewal that it happened to, or is. */
  readonly renewal: EventRow | undefined;
}

/**
 * The message of an event, always the same one. Its fields are named one by one: what a gift has
 * beside them names its donor, or may.
 */
export function messageOf(type: SiteEvent, { event, first, renewal }: Subject): SiteWebhookMessage {
  const { gift, form, tracking = {}, decimals, projects, isTest } = first.payload;
  const { at = event.created_at, amount: sum, refunded } = readDetail(event);
  const isAboutRenewal = event.parent !== null;
  const total = (renewal && readDetail(renewal).amount) ?? gift.total;
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
      costs: isWhole ? gift.costs : 0,
      total,
      frequency: gift.frequency,
      projects: isWhole
        ? gift.projects.map(({ id, amount }, index) => ({
            id,
            ...(projects[index]?.code !== undefined && { code: projects[index].code }),
            amount,
          }))
        : [],
      ...(gift.segment !== undefined && !namesSomebody(gift.segment) && { segment: gift.segment }),
      tracking: Object.fromEntries(
        Object.entries(tracking).filter(([, value]) => !namesSomebody(value)),
      ),
      language: form.language,
      ...(form.page !== undefined && !namesSomebody(form.page) && { page: form.page }),
      ...(isChange && { changed: sum }),
      ...(refunded !== undefined && { refunded }),
    },
  };
}

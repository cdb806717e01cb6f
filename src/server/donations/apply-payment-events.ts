import type { RecurringState } from '@donation-form/core/donation';
import type { Logger } from '../lib/logger.ts';
import type { Charging } from './payment-processor.ts';
import type { EventKind } from '../database/schema.ts';
import type { Journal } from './donation-repository.ts';
import type { EventDetail } from './event-mapper.ts';
import type { Happening } from '../payments/payment-gateway.ts';
import { Problem } from '../lib/problem.ts';

export interface AfterGiftOptions {
  readonly organization: string;
  /** Who tells: of other providers' payments it has nothing to say. */
  readonly provider: string;
  readonly journal: Journal;
  readonly charging: Charging;
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
export async function keepHappenings(
  happenings: readonly Happening[],
  options: AfterGiftOptions,
): Promise<void> {
  for (const happening of happenings)
    await ('subscriptionId' in happening
      ? keepRecurring(happening, options)
      : keepOfPayment(happening, options));
}

async function keepOfPayment(
  happening: Exclude<Happening, { subscriptionId: string }>,
  options: AfterGiftOptions,
): Promise<void> {
  const { organization, provider, journal, charging } = options;
  const found = await journal.byPayment(organization, happening.paymentId);
  const gift = found?.payload.payment.provider === provider ? found : undefined;
  if (gift && gift.state !== 'charged') await charging.askAnew(gift);
  if (happening.kind === 'payment') return;
  const entry = gift ?? (await journal.events.renewalByPayment(organization, happening.paymentId));
  if (!entry) return;
  const { kind, id, amount, at } = happening;
  const parent = 'parent' in entry ? entry.parent : null;
  await journal.events.happened(organization, [
    {
      id,
      kind,
      reference: entry.reference,
      parent,
      detail: write({
        at: at.getTime(),
        amount,
        ...('refunded' in happening && { refunded: happening.refunded }),
      }),
    },
  ]);
}

async function keepRecurring(
  happening: Extract<Happening, { subscriptionId: string }>,
  options: AfterGiftOptions,
): Promise<void> {
  const { organization, provider, journal, charging, log, isLate } = options;
  const { id, subscriptionId, at } = happening;
  const found = await journal.bySubscription(organization, subscriptionId);
  if (found?.payload.payment.provider !== provider) return;
  const first =
    found.state === 'charging' || found.state === 'action'
      ? (await charging.askAnew(found)).row
      : found;
  const { reference } = first;
  if (happening.kind === 'renewal') {
    const { paymentId, total, method } = happening.payment;
    if (first.copied_at !== null && !isLate && !(await journal.events.byId(id))) {
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
    return journal.events.renewed(first, {
      id,
      paymentId,
      mayBeRecorded: isLate,
      detail: write({ at: at.getTime(), amount: total ?? 0, method }),
    });
  }
  // A recurring gift that never began has not ended either.
  if (!['charged', 'pending', 'held'].includes(first.state)) return;
  return journal.events.recurring(first, happening.status, {
    id,
    kind: RECURRING_EVENTS[happening.status],
    reference,
    detail: write({ at: at.getTime() }),
  });
}

function write(detail: EventDetail): string {
  return JSON.stringify(detail);
}

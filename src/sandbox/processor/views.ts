import type { Context } from 'hono';
import { getRequestOrigin } from '../lib/request-parsing.ts';
import type { Payment, Subscription } from './records.ts';

/** Converts a payment to its API representation. */
export function toPaymentView(payment: Payment, processorUrl: string): object {
  const {
    id,
    reference,
    amount,
    currency,
    frequency,
    state,
    declineCode,
    source,
    hosted,
    secret,
    subscription,
    renewalOf,
    refunds,
    dispute,
    created,
  } = payment;
  return {
    id,
    reference,
    amount,
    currency,
    frequency,
    state,
    declineCode,
    method: source?.method ?? null,
    lastFour: source?.lastFour ?? null,
    page: hosted ? `${processorUrl}/pay/${secret}` : null,
    action: state === 'action' ? { url: `${processorUrl}/authenticate/${secret}` } : null,
    subscription,
    renewalOf,
    refunds,
    dispute,
    created,
  };
}

/**
 * Converts a subscription to its API representation.
 * @param payments payments of the subscription, oldest first.
 */
export function toSubscriptionView(
  { id, state, frequency, reference, nextAt, failures }: Subscription,
  payments: readonly Payment[],
): object {
  return {
    id,
    state,
    frequency,
    reference,
    nextAt,
    payments: payments.map((payment) => payment.id),
    failures,
  };
}

/** Returns the processor's URL at the origin of the request. */
export function getProcessorUrl(c: Context): string {
  return `${getRequestOrigin(c.req.raw)}/processor`;
}

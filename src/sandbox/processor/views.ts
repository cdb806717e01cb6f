import type { Context } from 'hono';
import { originOf } from '../lib/request-parsing.ts';
import type { Payment, Subscription } from './records.ts';

/** A payment as a server is shown it. @param base the address of the processor. */
export function paymentView(payment: Payment, base: string): object {
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
    page: hosted ? `${base}/pay/${secret}` : null,
    action: state === 'action' ? { url: `${base}/authenticate/${secret}` } : null,
    subscription,
    renewalOf,
    refunds,
    dispute,
    created,
  };
}

/** A subscription as a server is shown it. @param payments its payments, the first one first. */
export function subscriptionView(
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

/** The address of the processor, as it was asked. */
export function baseOf(c: Context): string {
  return `${originOf(c.req.raw)}/processor`;
}

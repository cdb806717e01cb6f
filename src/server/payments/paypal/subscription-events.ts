import type { PaymentEvent } from '../payment-gateway.ts';
import type { PayPalClient } from './client.ts';
import { parsePayPalTime } from './parse-time.ts';
import { ignoreNotFoundError } from './ignore-errors.ts';
import {
  fetchIsRenewal,
  getSubscriptionStatus,
  retrieveSubscription,
  saleToPayment,
  type Sale,
  type Subscription,
} from './subscriptions.ts';

/** Fetches the events of a subscription payment: the first payment or a renewal. */
export async function fetchSaleEvents(
  client: PayPalClient,
  saleId: string,
): Promise<PaymentEvent[]> {
  const sale = await client.get<Sale>(`/v1/payments/sale/${saleId}`);
  const subscriptionId = sale.billing_agreement_id;
  if (subscriptionId === undefined) return [];
  const subscription = await retrieveSubscription(client, subscriptionId);
  const state = toStatusEvents(subscription);
  if (!(await fetchIsRenewal(client, subscription, sale)))
    return [
      { kind: 'payment', paymentId: subscriptionId },
      { kind: 'payment', paymentId: saleId },
      ...state,
    ];
  const payment = saleToPayment(sale);
  if (payment.status !== 'succeeded') return state;
  return [
    {
      kind: 'renewal',
      id: `renewal ${saleId}`,
      subscriptionId,
      reference: subscription.custom_id,
      payment,
      at: new Date(parsePayPalTime(sale.create_time)),
    },
    ...state,
  ];
}

/** Fetches the events for a subscription's status and its first payment. */
export async function fetchSubscriptionEvents(
  client: PayPalClient,
  subscriptionId: string,
): Promise<PaymentEvent[]> {
  return [
    { kind: 'payment', paymentId: subscriptionId },
    ...toStatusEvents(await retrieveSubscription(client, subscriptionId)),
  ];
}

function toStatusEvents(subscription: Subscription): PaymentEvent[] {
  const status = getSubscriptionStatus(subscription);
  if (status === undefined) return [];
  const {
    id: subscriptionId,
    billing_info: billing,
    status_update_time: statusTime,
  } = subscription;
  const changedAt =
    {
      // Becomes active with a payment after a failed one, or with a reactivation.
      active: [billing?.last_payment?.time ?? '', statusTime ?? ''].sort().at(-1),
      retrying: billing?.last_failed_payment?.time,
      suspended: statusTime,
      canceled: statusTime,
    }[status] ?? '';
  return [
    {
      kind: 'subscription',
      id: `subscription ${subscriptionId} ${status} ${changedAt}`,
      subscriptionId,
      status,
      at: new Date(parsePayPalTime(changedAt)),
    },
  ];
}

/**
 * Fetches a payment's events if the payment belongs to a subscription. The server must record these
 * events before refund and dispute events, because the payment may not be in the database yet.
 */
export async function findSaleEvents(
  client: PayPalClient,
  paymentId: string,
): Promise<PaymentEvent[]> {
  return (await fetchSaleEvents(client, paymentId).catch(ignoreNotFoundError)) ?? [];
}

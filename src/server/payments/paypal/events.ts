import { PaymentNotFoundError, type PaymentEvent } from '../payment-gateway.ts';
import { parsePayPalMoney, type Money } from './amounts.ts';
import { PayPalError, type PayPalClient } from './client.ts';
import { toOrderPaymentId, type Capture, type Link, type Order, type Refund } from './orders.ts';
import {
  getSubscriptionStatus,
  fetchIsRenewal,
  retrieveSubscription,
  saleToPayment,
  type Sale,
  type Subscription,
} from './subscriptions.ts';

/** https://developer.paypal.com/docs/api/customer-disputes/v1/#definition-dispute */
export interface Dispute {
  readonly dispute_id: string;
  readonly create_time?: string;
  readonly update_time?: string;
  readonly status?: string;
  readonly dispute_amount?: Money;
  readonly dispute_outcome?: { readonly outcome_code?: string };
  readonly disputed_transactions?: readonly { readonly seller_transaction_id?: string }[];
}

/** Dispute outcomes in which the donor gets the money back. */
const LOST_OUTCOMES: readonly string[] = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'];

export function fetchCapture(client: PayPalClient, id: string): Promise<Capture> {
  return client.get(`/v2/payments/captures/${id}`);
}

/**
 * Fetches a captured order's events. The order's own event comes first, because the server may not
 * know the capture's ID yet: PayPal's response may have been lost.
 */
export async function fetchCaptureEvents(
  client: PayPalClient,
  capture: Capture,
): Promise<PaymentEvent[]> {
  const { id: paymentId } = capture;
  const disputeEvents = await fetchDisputeEvents(client, paymentId);
  return [
    ...toOrderEvents(capture),
    { kind: 'payment', paymentId },
    ...(await fetchRefundEvents(client, capture, disputeEvents)),
    ...disputeEvents,
  ];
}

function toOrderEvents({ supplementary_data: data }: Capture): PaymentEvent[] {
  const orderId = data?.related_ids?.order_id;
  return orderId === undefined ? [] : [{ kind: 'payment', paymentId: toOrderPaymentId(orderId) }];
}

/**
 * Fetches a captured order's refund events, each with the total refunded so far.
 * @param disputeEvents the payment's dispute events.
 * @param refund a refund to report even if the order lacks it, such as a refund by PayPal.
 */
async function fetchRefundEvents(
  client: PayPalClient,
  { id: paymentId, amount, supplementary_data: data }: Capture,
  disputeEvents: readonly PaymentEvent[],
  refund?: Refund,
): Promise<PaymentEvent[]> {
  const orderId = data?.related_ids?.order_id;
  if (orderId === undefined) return [];
  const order = await client.get<Order>(`/v2/checkout/orders/${orderId}`);
  const listed = (order.purchase_units ?? []).flatMap(({ payments }) => payments?.refunds ?? []);
  const all = !refund || listed.some(({ id }) => id === refund.id) ? listed : [...listed, refund];
  const refunds = excludeReversals(
    all.toSorted((a, b) => parseTimeOrNow(a.create_time) - parseTimeOrNow(b.create_time)),
    parsePayPalMoney(amount).total,
    disputeEvents,
  );
  const refunded = sumRefunds(refunds);
  return refunds.flatMap((each) => toRefundEvents(each, paymentId, refunded));
}

function sumRefunds(refunds: readonly Refund[]): number {
  return refunds
    .filter(({ status }) => status === 'COMPLETED')
    .reduce((sum, { amount }) => sum + parsePayPalMoney(amount).total, 0);
}

/**
 * Removes the reversal after a lost dispute, because it is not a refund. PayPal does not document
 * whether an order lists the reversal, or how it is marked. It is later than the dispute, and its
 * amount is the disputed amount or the part of the payment that was not refunded before.
 * @param refunds oldest first.
 * @param total the payment's amount.
 */
function excludeReversals(
  refunds: readonly Refund[],
  total: number,
  disputeEvents: readonly PaymentEvent[],
): Refund[] {
  const lost = disputeEvents.find(({ kind }) => kind === 'dispute_lost');
  const opened = disputeEvents.find(({ kind }) => kind === 'dispute_opened');
  if (!lost || !opened || !('amount' in lost && 'at' in opened)) return [...refunds];
  const isReversal = ({ amount, create_time: createTime }: Refund): boolean =>
    parseTimeOrNow(createTime) >= opened.at.getTime() &&
    (parsePayPalMoney(amount).total === lost.amount || sumRefunds(refunds) === total);
  const index = refunds.findLastIndex(isReversal);
  return refunds.filter((_, position) => position !== index);
}

/** Fetches the events for a refund of a captured order or of a subscription's payment. */
export async function fetchEventsForRefundId(
  client: PayPalClient,
  refundId: string,
): Promise<PaymentEvent[]> {
  const refund = await client.get<Refund>(`/v2/payments/refunds/${refundId}`);
  const paymentId = getRefundedPaymentId(refund);
  if (paymentId === undefined) return [];
  const capture = await fetchCapture(client, paymentId).catch(rethrowUnlessNotFound);
  if (capture?.supplementary_data?.related_ids?.order_id !== undefined)
    return [
      ...toOrderEvents(capture),
      ...(await fetchRefundEvents(
        client,
        capture,
        await fetchDisputeEvents(client, paymentId),
        refund,
      )),
    ];
  const total = refund.seller_payable_breakdown?.total_refunded_amount ?? refund.amount;
  return [
    ...(await fetchSaleEventsIfFound(client, paymentId)),
    ...toRefundEvents(refund, paymentId, parsePayPalMoney(total).total),
  ];
}

/**
 * Fetches the events of a subscription's payment, if it is one. They come before the events of
 * refunds and disputes, because the server may not know the payment yet.
 */
async function fetchSaleEventsIfFound(
  client: PayPalClient,
  paymentId: string,
): Promise<PaymentEvent[]> {
  return (await fetchSaleEvents(client, paymentId).catch(rethrowUnlessNotFound)) ?? [];
}

/** Fetches a reversed payment's dispute events or, if it has no dispute, its refund events. */
export async function fetchReversalEvents(
  client: PayPalClient,
  refundId: string,
): Promise<PaymentEvent[]> {
  const refund = await client.get<Refund>(`/v2/payments/refunds/${refundId}`);
  const paymentId = getRefundedPaymentId(refund);
  const disputes = paymentId === undefined ? [] : await fetchDisputeEvents(client, paymentId);
  return disputes.length > 0 ? disputes : fetchEventsForRefundId(client, refundId);
}

/** Returns the ID of the refunded payment, from the link to it. */
function getRefundedPaymentId({
  links = [],
}: {
  readonly links?: readonly Link[];
}): string | undefined {
  return links
    .find(({ rel }) => rel === 'up')
    ?.href.split('/')
    .at(-1);
}

function toRefundEvents(
  { id, status, amount, create_time: createTime }: Refund,
  paymentId: string,
  refunded: number,
): PaymentEvent[] {
  if (status === 'PENDING') return [];
  const kind = status === 'COMPLETED' ? 'refund' : 'refund_failed';
  return [
    {
      kind,
      id: `${kind} ${id}`,
      paymentId,
      amount: parsePayPalMoney(amount).total,
      refunded,
      at: new Date(parseTimeOrNow(createTime)),
    },
  ];
}

/**
 * Fetches a payment's dispute events. Returns none if the app may not read disputes, so that charges
 * and refunds are still recorded.
 */
export async function fetchDisputeEvents(
  client: PayPalClient,
  paymentId: string,
): Promise<PaymentEvent[]> {
  const disputes = await client
    .get<{ readonly items?: readonly Dispute[] }>('/v1/customer/disputes', {
      disputed_transaction_id: paymentId,
    })
    .catch(rethrowUnlessForbidden);
  const paymentEvents: PaymentEvent[] = [];
  for (const { dispute_id: id } of disputes?.items?.toReversed() ?? [])
    paymentEvents.push(...(await fetchEventsForDisputeId(client, id)));
  return paymentEvents;
}

export async function fetchEventsForDisputeId(
  client: PayPalClient,
  disputeId: string,
): Promise<PaymentEvent[]> {
  const dispute = await client.get<Dispute>(`/v1/customer/disputes/${disputeId}`);
  const result = getDisputeResult(dispute);
  const paymentEvents: PaymentEvent[] = [];
  for (const paymentId of getDisputedPaymentIds(dispute)) {
    const capture = await fetchCapture(client, paymentId).catch(rethrowUnlessNotFound);
    const orderEvents = capture ? toOrderEvents(capture) : [];
    const common = { paymentId, amount: await fetchDisputedAmount(client, dispute, paymentId) };
    paymentEvents.push(
      ...(orderEvents.length > 0 ? orderEvents : await fetchSaleEventsIfFound(client, paymentId)),
      {
        ...common,
        kind: 'dispute_opened',
        id: `dispute_opened ${disputeId}`,
        at: new Date(parseTimeOrNow(dispute.create_time)),
      },
      ...(result
        ? [
            {
              ...common,
              kind: result,
              id: `${result} ${disputeId}`,
              at: new Date(parseTimeOrNow(dispute.update_time)),
            },
          ]
        : []),
    );
  }
  return paymentEvents;
}

export function getDisputedPaymentIds({
  disputed_transactions: transactions = [],
}: Dispute): string[] {
  return transactions.flatMap(({ seller_transaction_id: id }) => (id === undefined ? [] : [id]));
}

async function fetchDisputedAmount(
  client: PayPalClient,
  { dispute_amount: amount }: Dispute,
  paymentId: string,
): Promise<number> {
  return parsePayPalMoney(amount ?? (await fetchCapture(client, paymentId)).amount).total;
}

/** Returns a dispute's result, or `undefined` while it is open. */
export function getDisputeResult({
  status,
  dispute_outcome: outcome,
}: Dispute): 'dispute_won' | 'dispute_lost' | undefined {
  if (status !== 'RESOLVED') return undefined;
  return LOST_OUTCOMES.includes(outcome?.outcome_code ?? '') ? 'dispute_lost' : 'dispute_won';
}

/** Fetches the events of a subscription's payment: the first payment or a renewal. */
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
      payment,
      at: new Date(parseTimeOrNow(sale.create_time)),
    },
    ...state,
  ];
}

/** Fetches the events for a subscription's status and first payment. */
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
  const { id: subscriptionId, billing_info: billing } = subscription;
  const changedAt =
    {
      active: billing?.last_payment?.time,
      retrying: billing?.last_failed_payment?.time,
      suspended: subscription.status_update_time,
      canceled: subscription.status_update_time,
    }[status] ?? '';
  return [
    {
      kind: 'recurring',
      id: `recurring ${subscriptionId} ${status} ${changedAt}`,
      subscriptionId,
      status,
      at: new Date(parseTimeOrNow(changedAt)),
    },
  ];
}

/** Parses a time to milliseconds since 1970, or returns the current time if there is none. */
function parseTimeOrNow(time = ''): number {
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? Date.now() : parsed;
}

/** Returns `undefined` for a call that the app may not make. @throws any other error. */
function rethrowUnlessForbidden(error: unknown): undefined {
  if (!(error instanceof PayPalError) || error.status !== 403) throw error;
}

/** Returns `undefined` for an object that PayPal does not have. @throws any other error. */
export function rethrowUnlessNotFound(error: unknown): undefined {
  if (!(error instanceof PayPalError) || error.status !== 404) throw error;
}

/**
 * Converts PayPal's 404 error to {@link PaymentNotFoundError}, and returns any other error
 * unchanged.
 */
export function convertNotFoundError(error: unknown): unknown {
  return error instanceof PayPalError && error.status === 404
    ? new PaymentNotFoundError('PayPal does not have the object that the event names.', {
        cause: error,
      })
    : error;
}

import { sumAmounts } from '../../lib/sum-amounts.ts';
import type { PaymentEvent } from '../payment-gateway.ts';
import { type Money, parsePayPalMoney } from './amounts.ts';
import {
  ignoreForbiddenError,
  ignoreNotFoundError,
  parsePayPalTime,
  type PayPalClient,
} from './client.ts';
import { type Capture, fetchCapture, type Order, type Refund, toOrderEvents } from './orders.ts';
import {
  fetchIsRenewal,
  getSubscriptionStatus,
  retrieveSubscription,
  type Sale,
  saleToPayment,
  type Subscription,
} from './subscriptions.ts';

/** Fetches the events that concern the object with an ID. */
export type FetchEvents = (client: PayPalClient, id: string) => Promise<PaymentEvent[]>;

/**
 * Fetches a captured order's events. The order's event comes first, because the server does not
 * have the capture's ID if PayPal's response to the capture was lost.
 * @param fetchMerchantRefundIds fetches the IDs of the merchant's own refunds after a lost dispute.
 */
export async function fetchCaptureEvents(
  client: PayPalClient,
  capture: Capture,
  fetchMerchantRefundIds: () => Promise<readonly string[]> = () => Promise.resolve([]),
): Promise<PaymentEvent[]> {
  const { id: paymentId } = capture;
  const disputeEvents = await fetchDisputeEvents(client, paymentId);
  const merchantRefundIds = findLostDispute(disputeEvents) ? await fetchMerchantRefundIds() : [];
  return [
    ...toOrderEvents(capture),
    { kind: 'payment', paymentId },
    ...(await fetchRefundEvents(client, capture, disputeEvents, merchantRefundIds)),
    ...disputeEvents,
  ];
}

/**
 * @param merchantRefundIds refunds that are certainly not reversals.
 * @param refund a refund to report even if the order does not list it.
 */
async function fetchRefundEvents(
  client: PayPalClient,
  { id: paymentId, amount, supplementary_data: data }: Capture,
  disputeEvents: readonly PaymentEvent[],
  merchantRefundIds: readonly string[],
  refund?: Refund,
): Promise<PaymentEvent[]> {
  const orderId = data?.related_ids?.order_id;
  if (orderId === undefined) return [];
  const order = await client.get<Order>(`/v2/checkout/orders/${orderId}`);
  const listed = (order.purchase_units ?? []).flatMap(({ payments }) => payments?.refunds ?? []);
  const all = !refund || listed.some(({ id }) => id === refund.id) ? listed : [...listed, refund];
  const refunds = excludeReversals(
    all.toSorted(
      (a, b) => Number(parsePayPalTime(a.create_time)) - Number(parsePayPalTime(b.create_time)),
    ),
    parsePayPalMoney(amount).total,
    disputeEvents,
    merchantRefundIds,
  );
  const refunded = sumRefunds(refunds);
  return refunds.flatMap((each) => toRefundEvents(each, paymentId, refunded));
}

function sumRefunds(refunds: readonly Refund[]): number {
  return sumAmounts(
    refunds
      .filter(({ status }) => status === 'COMPLETED')
      .map(({ amount }) => parsePayPalMoney(amount).total),
  );
}

/**
 * Removes the reversal after a lost dispute, because a reversal is not a refund. PayPal does not
 * document how an order lists it. It is created after the dispute was opened, and its amount is the
 * disputed amount or what was not refunded before. A refund during the dispute can look the same.
 * @param refunds refunds, oldest first.
 * @param total amount of the payment.
 */
function excludeReversals(
  refunds: readonly Refund[],
  total: number,
  disputeEvents: readonly PaymentEvent[],
  merchantRefundIds: readonly string[],
): Refund[] {
  const lost = findLostDispute(disputeEvents);
  const opened = disputeEvents.find(({ kind }) => kind === 'dispute_opened');
  if (!lost || !opened || !('at' in opened)) return [...refunds];
  const isReversal = ({ id, amount, create_time: createTime }: Refund): boolean =>
    !merchantRefundIds.includes(id) &&
    parsePayPalTime(createTime) >= opened.at &&
    (parsePayPalMoney(amount).total === lost.amount || sumRefunds(refunds) === total);
  const index = refunds.findLastIndex(isReversal);
  return refunds.filter((_, position) => position !== index);
}

function findLostDispute(disputeEvents: readonly PaymentEvent[]) {
  const lost = disputeEvents.find(({ kind }) => kind === 'dispute_lost');
  return lost && 'amount' in lost ? lost : undefined;
}

/** Fetches the events for a refund of a captured order or a subscription payment. */
export const fetchEventsForRefundId: FetchEvents = async (client, refundId) => {
  const refund = await client.get<Refund>(`/v2/payments/refunds/${refundId}`);
  const paymentId = getRefundedPaymentId(refund);
  if (paymentId === undefined) return [];
  const capture = await fetchCapture(client, paymentId).catch(ignoreNotFoundError);
  const disputeEvents = await fetchDisputeEvents(client, paymentId);
  if (capture?.supplementary_data?.related_ids?.order_id !== undefined)
    return [
      ...toOrderEvents(capture),
      ...(await fetchRefundEvents(client, capture, disputeEvents, [refund.id], refund)),
    ];
  return [
    ...(await findSaleEvents(client, paymentId)),
    ...toRefundEvents(refund, paymentId, calculateSaleRefunded(refund, disputeEvents)),
  ];
};

/** Returns the smallest possible total, because PayPal's may include a lost dispute's reversal. */
function calculateSaleRefunded(
  { amount, seller_payable_breakdown: breakdown }: Refund,
  disputeEvents: readonly PaymentEvent[],
): number {
  const own = parsePayPalMoney(amount).total;
  const { total } = parsePayPalMoney(breakdown?.total_refunded_amount ?? amount);
  const lost = findLostDispute(disputeEvents);
  return lost ? Math.max(own, sumAmounts([total, -lost.amount])) : total;
}

/** Fetches a reversed payment's dispute events or, without disputes, its refund events. */
export const fetchReversalEvents: FetchEvents = async (client, refundId) => {
  const refund = await client.get<Refund>(`/v2/payments/refunds/${refundId}`);
  const paymentId = getRefundedPaymentId(refund);
  const disputes = paymentId === undefined ? [] : await fetchDisputeEvents(client, paymentId);
  return disputes.length > 0 ? disputes : fetchEventsForRefundId(client, refundId);
};

function getRefundedPaymentId({ links = [] }: Refund): string | undefined {
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
      at: parsePayPalTime(createTime),
    },
  ];
}

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

/** Fetches a payment's dispute events, or none if the app lacks permission to read disputes. */
export const fetchDisputeEvents: FetchEvents = async (client, paymentId) => {
  const disputes = await client
    .get<{ readonly items?: readonly Dispute[] }>('/v1/customer/disputes', {
      disputed_transaction_id: paymentId,
    })
    .catch(ignoreForbiddenError);
  const paymentEvents: PaymentEvent[] = [];
  for (const { dispute_id: id } of disputes?.items?.toReversed() ?? [])
    paymentEvents.push(...(await fetchEventsForDisputeId(client, id)));
  return paymentEvents;
};

export const fetchEventsForDisputeId: FetchEvents = async (client, disputeId) => {
  const dispute = await client.get<Dispute>(`/v1/customer/disputes/${disputeId}`);
  const result = getPayPalDisputeResult(dispute);
  const paymentEvents: PaymentEvent[] = [];
  for (const paymentId of getDisputedPaymentIds(dispute)) {
    const capture = await fetchCapture(client, paymentId).catch(ignoreNotFoundError);
    const orderEvents = capture ? toOrderEvents(capture) : [];
    const amount =
      dispute.dispute_amount ?? (capture ?? (await fetchCapture(client, paymentId))).amount;
    const common = { paymentId, amount: parsePayPalMoney(amount).total };
    paymentEvents.push(
      ...(orderEvents.length > 0 ? orderEvents : await findSaleEvents(client, paymentId)),
      {
        ...common,
        kind: 'dispute_opened',
        id: `dispute_opened ${disputeId}`,
        at: parsePayPalTime(dispute.create_time),
      },
      ...(result
        ? [
            {
              ...common,
              kind: result,
              id: `${result} ${disputeId}`,
              at: parsePayPalTime(dispute.update_time),
            },
          ]
        : []),
    );
  }
  return paymentEvents;
};

export function getDisputedPaymentIds({ disputed_transactions: disputed }: Dispute): string[] {
  return (disputed ?? []).flatMap(({ seller_transaction_id: id }) =>
    id === undefined ? [] : [id],
  );
}

/** Returns `undefined` if the dispute is not resolved yet. */
export function getPayPalDisputeResult(
  dispute: Dispute,
): 'dispute_won' | 'dispute_lost' | undefined {
  if (dispute.status !== 'RESOLVED') return undefined;
  const outcome = dispute.dispute_outcome?.outcome_code ?? '';
  return LOST_OUTCOMES.includes(outcome) ? 'dispute_lost' : 'dispute_won';
}

/** Fetches the events of a subscription payment: the first payment or a renewal. */
export const fetchSaleEvents: FetchEvents = async (client, saleId) => {
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
      at: parsePayPalTime(sale.create_time),
    },
    ...state,
  ];
};

export const fetchSubscriptionEvents: FetchEvents = async (client, subscriptionId) => {
  return [
    { kind: 'payment', paymentId: subscriptionId },
    ...toStatusEvents(await retrieveSubscription(client, subscriptionId)),
  ];
};

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
      at: parsePayPalTime(changedAt),
    },
  ];
}

/** Record these before refunds and disputes, because the payment may not be in the database yet. */
async function findSaleEvents(client: PayPalClient, paymentId: string): Promise<PaymentEvent[]> {
  return (await fetchSaleEvents(client, paymentId).catch(ignoreNotFoundError)) ?? [];
}

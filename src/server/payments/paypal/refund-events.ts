import { sumAmounts } from '../../lib/sum-amounts.ts';
import type { PaymentEvent } from '../payment-gateway.ts';
import { parsePayPalMoney } from './amounts.ts';
import { fetchCapture, toOrderEvents } from './captures.ts';
import type { PayPalClient } from './client.ts';
import { fetchDisputeEvents } from './dispute-events.ts';
import type { Capture, Link, Order, Refund } from './orders.ts';
import { parsePayPalTime } from './parse-time.ts';
import { ignoreNotFoundError } from './ignore-errors.ts';
import { findSaleEvents } from './subscription-events.ts';

/**
 * Fetches a captured order's events. The event for the order comes first, because the server does
 * not have the capture's ID yet if PayPal's response to the capture was lost.
 * @param fetchMerchantRefundIds function that fetches the IDs of the merchant's own refunds. Called
 *   only after a lost dispute.
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
    ...(await fetchRefundEvents(client, capture, { disputeEvents, merchantRefundIds })),
    ...disputeEvents,
  ];
}

interface RefundEventOptions {
  /** Events of the payment's disputes. */
  readonly disputeEvents: readonly PaymentEvent[];
  /** IDs of refunds that the merchant certainly made. Excludes reversals. */
  readonly merchantRefundIds: readonly string[];
  /** A refund to report even if the order does not list it. */
  readonly refund?: Refund;
}

/** Fetches the refund events of a captured order. Each event includes the total refunded so far. */
async function fetchRefundEvents(
  client: PayPalClient,
  { id: paymentId, amount, supplementary_data: data }: Capture,
  { disputeEvents, merchantRefundIds, refund }: RefundEventOptions,
): Promise<PaymentEvent[]> {
  const orderId = data?.related_ids?.order_id;
  if (orderId === undefined) return [];
  const order = await client.get<Order>(`/v2/checkout/orders/${orderId}`);
  const listed = (order.purchase_units ?? []).flatMap(({ payments }) => payments?.refunds ?? []);
  const all = !refund || listed.some(({ id }) => id === refund.id) ? listed : [...listed, refund];
  const refunds = excludeReversals(
    all.toSorted((a, b) => parsePayPalTime(a.create_time) - parsePayPalTime(b.create_time)),
    parsePayPalMoney(amount).total,
    { disputeEvents, merchantRefundIds },
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
 * document whether an order lists the reversal, or how the order marks it. A reversal is created
 * after the dispute was opened. The reversal's amount is the disputed amount, or the part of the
 * payment that was not refunded before. A refund that the merchant made during the dispute can look
 * the same.
 * @param refunds refunds, oldest first.
 * @param total amount of the payment.
 */
function excludeReversals(
  refunds: readonly Refund[],
  total: number,
  { disputeEvents, merchantRefundIds }: Omit<RefundEventOptions, 'refund'>,
): Refund[] {
  const lost = findLostDispute(disputeEvents);
  const opened = disputeEvents.find(({ kind }) => kind === 'dispute_opened');
  if (!lost || !opened || !('at' in opened)) return [...refunds];
  const isReversal = ({ id, amount, create_time: createTime }: Refund): boolean =>
    !merchantRefundIds.includes(id) &&
    parsePayPalTime(createTime) >= opened.at.getTime() &&
    (parsePayPalMoney(amount).total === lost.amount || sumRefunds(refunds) === total);
  const index = refunds.findLastIndex(isReversal);
  return refunds.filter((_, position) => position !== index);
}

function findLostDispute(
  disputeEvents: readonly PaymentEvent[],
): { readonly amount: number } | undefined {
  const lost = disputeEvents.find(({ kind }) => kind === 'dispute_lost');
  return lost && 'amount' in lost ? lost : undefined;
}

/** Fetches the events for a merchant's refund of a captured order or a subscription payment. */
export async function fetchEventsForRefundId(
  client: PayPalClient,
  refundId: string,
): Promise<PaymentEvent[]> {
  const refund = await client.get<Refund>(`/v2/payments/refunds/${refundId}`);
  const paymentId = getRefundedPaymentId(refund);
  if (paymentId === undefined) return [];
  const capture = await fetchCapture(client, paymentId).catch(ignoreNotFoundError);
  const disputeEvents = await fetchDisputeEvents(client, paymentId);
  if (capture?.supplementary_data?.related_ids?.order_id !== undefined)
    return [
      ...toOrderEvents(capture),
      ...(await fetchRefundEvents(client, capture, {
        disputeEvents,
        merchantRefundIds: [refund.id],
        refund,
      })),
    ];
  return [
    ...(await findSaleEvents(client, paymentId)),
    ...toRefundEvents(refund, paymentId, calculateSaleRefunded(refund, disputeEvents)),
  ];
}

/**
 * Returns the total refunded so far for a subscription payment. PayPal's total may include the
 * reversal after a lost dispute, which is not a refund. PayPal does not distinguish the two, so
 * this function returns the smallest possible total.
 */
function calculateSaleRefunded(
  { amount, seller_payable_breakdown: breakdown }: Refund,
  disputeEvents: readonly PaymentEvent[],
): number {
  const own = parsePayPalMoney(amount).total;
  const { total } = parsePayPalMoney(breakdown?.total_refunded_amount ?? amount);
  const lost = findLostDispute(disputeEvents);
  return lost ? Math.max(own, sumAmounts([total, -lost.amount])) : total;
}

/**
 * Fetches the dispute events of a reversed payment. If the payment has no disputes, fetches its
 * refund events.
 */
export async function fetchReversalEvents(
  client: PayPalClient,
  refundId: string,
): Promise<PaymentEvent[]> {
  const refund = await client.get<Refund>(`/v2/payments/refunds/${refundId}`);
  const paymentId = getRefundedPaymentId(refund);
  const disputes = paymentId === undefined ? [] : await fetchDisputeEvents(client, paymentId);
  return disputes.length > 0 ? disputes : fetchEventsForRefundId(client, refundId);
}

/** Returns the ID of the refunded payment, taken from the link in the refund. */
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
      at: new Date(parsePayPalTime(createTime)),
    },
  ];
}

import { toMajorUnits } from '@donation-form/core/money';
import { createTooManyPagesError, MAX_PAGES } from '../../lib/page-limit.ts';
import { sumAmounts } from '../../lib/sum-amounts.ts';
import {
  type ListedPayment,
  type PaymentHistory,
  PaymentNotFoundError,
} from '../payment-gateway.ts';
import { getPayPalDecimals, type Money, parsePayPalMoney } from './amounts.ts';
import { ignoreNotFoundError, parsePayPalTime, type PayPalClient } from './client.ts';
import { fetchCapture, type Link } from './orders.ts';
import {
  type Dispute,
  fetchCaptureEvents,
  fetchDisputeEvents,
  fetchSaleEvents,
  getDisputedPaymentIds,
  getPayPalDisputeResult,
} from './payment-events.ts';
import { retrieveSubscription, type Sale } from './subscriptions.ts';

/** https://developer.paypal.com/docs/api/transaction-search/v1/#definition-transaction_info */
interface TransactionInfo {
  readonly transaction_id: string;
  readonly paypal_reference_id?: string;
  readonly paypal_reference_id_type?: 'ODR' | 'TXN' | 'SUB' | 'PAP';
  readonly transaction_event_code: string;
  readonly transaction_initiation_date: string;
  readonly transaction_amount: Money;
  readonly fee_amount?: Money;
  /** `D`: denied, `P`: pending, `S`: succeeded, `V`: reversed. */
  readonly transaction_status: string;
  readonly custom_field?: string;
}

const DAY = 86_400_000;

/** PayPal's limit for the period of one transaction search, in milliseconds. */
const MAX_SEARCH_PERIOD = 31 * DAY;

/** PayPal's limit for the age of transactions in a search: three years, in milliseconds. */
const MAX_TRANSACTION_AGE = 3 * 365 * DAY;

/** Keeps responses below the server's response size limit. */
const PAGE_SIZE = 100;

/**
 * Maximum age of the disputes to list, in milliseconds: PayPal's limit of 180 days, less a margin.
 */
const MAX_DISPUTE_AGE = 179 * DAY;
const DISPUTE_PAGE_SIZE = 50;

/**
 * PayPal's event codes: the prefix for payments between accounts, and the code for refunds.
 * @see https://developer.paypal.com/docs/transaction-search/transaction-event-codes/
 */
const PAYMENT_GROUP = 'T00';
const REFUND_CODE = 'T1107';

/**
 * Yields a period's payments with their fees. Omits payments with neither our reference nor a
 * subscription. New payments can take up to three hours to appear in PayPal's search.
 */
export async function* iteratePayPalPayments(
  client: PayPalClient,
  from: Date,
  to: Date,
): AsyncGenerator<ListedPayment> {
  const disputes = await fetchDisputeStatuses(client, from);
  const refunds = new Map<string, number>();
  const payments = new Map<string, TransactionInfo>();
  for await (const transaction of iterateTransactions(client, from, new Date(client.now()))) {
    const { transaction_id: id, transaction_event_code: code } = transaction;
    if (code === REFUND_CODE) addToRefundTotals(refunds, transaction);
    const startedAt = Date.parse(transaction.transaction_initiation_date);
    if (code.startsWith(PAYMENT_GROUP) && mayBeDonation(transaction) && startedAt < to.getTime())
      payments.set(id, transaction);
  }
  for (const [paymentId, transaction] of payments) {
    const { transaction_status: status, transaction_amount: amount } = transaction;
    yield {
      paymentId,
      reference: isSubscriptionPayment(transaction) ? undefined : transaction.custom_field,
      at: new Date(transaction.transaction_initiation_date),
      status: status === 'P' ? 'processing' : 'succeeded',
      ...parsePayPalMoney(amount),
      cost: getCost(transaction),
      refunded: refunds.get(paymentId) ?? 0,
      dispute: disputes.get(paymentId),
    };
  }
}

function isSubscriptionPayment(transaction: TransactionInfo): boolean {
  const { transaction_event_code: code, paypal_reference_id_type: type } = transaction;
  return type === 'SUB' || code === 'T0002';
}

/** Returns true for an incoming payment that could be a donation. */
function mayBeDonation(transaction: TransactionInfo): boolean {
  const { transaction_status: status, transaction_amount: amount, custom_field: own } = transaction;
  return (
    ['P', 'S', 'V'].includes(status) &&
    getPayPalDecimals(amount.currency_code) !== undefined &&
    Number(amount.value) > 0 &&
    (own !== undefined || isSubscriptionPayment(transaction))
  );
}

function addToRefundTotals(refunds: Map<string, number>, transaction: TransactionInfo): void {
  const { paypal_reference_id: paymentId, transaction_amount: amount } = transaction;
  const isSupported = getPayPalDecimals(amount.currency_code) !== undefined;
  if (paymentId === undefined || transaction.transaction_status !== 'S' || !isSupported) return;
  const total = Math.abs(parsePayPalMoney(amount).total);
  refunds.set(paymentId, sumAmounts([refunds.get(paymentId) ?? 0, total]));
}

/** Returns `undefined` if the fee is in another currency. */
function getCost(transaction: TransactionInfo): ListedPayment['cost'] {
  const { transaction_amount: amount, fee_amount: fee } = transaction;
  if (!fee || fee.currency_code !== amount.currency_code) return undefined;
  const currency = amount.currency_code;
  const decimals = getPayPalDecimals(currency) ?? 2;
  const cost = Math.abs(parsePayPalMoney(fee).total);
  const net = sumAmounts([parsePayPalMoney(amount).total, -cost]);
  return {
    fee: toMajorUnits(cost, decimals),
    net: `${net < 0 ? '-' : ''}${toMajorUnits(Math.abs(net), decimals)}`,
    currency,
  };
}

/** Yields the account's transactions, including pending ones, which PayPal omits by default. */
async function* iterateTransactions(client: PayPalClient, from: Date, to: Date) {
  const end = to.getTime();
  const earliest = Math.max(from.getTime(), client.now() - MAX_TRANSACTION_AGE);
  for (let start = earliest; start < end; start += MAX_SEARCH_PERIOD)
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      if (page > MAX_PAGES)
        throw createTooManyPagesError('GET /v1/reporting/transactions', MAX_PAGES);
      const body = await client.get<{
        readonly total_pages?: number;
        readonly transaction_details?: readonly { readonly transaction_info: TransactionInfo }[];
      }>('/v1/reporting/transactions', {
        start_date: new Date(start).toISOString(),
        end_date: new Date(Math.min(start + MAX_SEARCH_PERIOD, end) - 1).toISOString(),
        fields: 'transaction_info',
        balance_affecting_records_only: 'N',
        page_size: String(PAGE_SIZE),
        page: String(page),
      });
      pages = body.total_pages ?? 1;
      for (const { transaction_info: transaction } of body.transaction_details ?? [])
        yield transaction;
    }
}

/** Fetches the statuses of disputes updated since the given time, by payment ID. */
async function fetchDisputeStatuses(client: PayPalClient, from: Date) {
  const disputes = new Map<string, ListedPayment['dispute']>();
  const after = Math.max(from.getTime(), client.now() - MAX_DISPUTE_AGE);
  let query: Record<string, string> | undefined = {
    update_time_after: new Date(after).toISOString(),
    page_size: String(DISPUTE_PAGE_SIZE),
  };
  for (let page = 1; query; page += 1) {
    if (page > MAX_PAGES) throw createTooManyPagesError('GET /v1/customer/disputes', MAX_PAGES);
    const body: { readonly items?: readonly Dispute[]; readonly links?: readonly Link[] } =
      await client.get('/v1/customer/disputes', query);
    for (const { dispute_id: id } of body.items ?? []) {
      const dispute = await client.get<Dispute>(`/v1/customer/disputes/${id}`);
      const result = getPayPalDisputeResult(dispute);
      const status = result && ({ dispute_won: 'won', dispute_lost: 'lost' } as const)[result];
      for (const paymentId of getDisputedPaymentIds(dispute))
        disputes.set(paymentId, status ?? 'open');
    }
    const next = body.links?.find(({ rel }) => rel === 'next')?.href;
    query = next === undefined ? undefined : Object.fromEntries(new URL(next).searchParams);
  }
  return disputes;
}

/** The events have the same IDs as in webhooks. */
export async function fetchPayPalHistory(
  client: PayPalClient,
  paymentId: string,
): Promise<PaymentHistory> {
  const capture = await fetchCapture(client, paymentId).catch(ignoreNotFoundError);
  if (capture?.supplementary_data?.related_ids?.order_id !== undefined)
    return {
      reference: capture.custom_id,
      events: (
        await fetchCaptureEvents(client, capture, async () => {
          const refunds = await fetchRefundTransactions(client, paymentId, capture.create_time);
          return refunds.map(({ transaction_id: id }) => id);
        })
      ).filter(
        (paymentEvent) => paymentEvent.kind !== 'payment' || paymentEvent.paymentId === paymentId,
      ),
    };
  const sale = await client.get<Sale>(`/v1/payments/sale/${paymentId}`).catch(ignoreNotFoundError);
  const subscriptionId = sale?.billing_agreement_id;
  if (!sale || subscriptionId === undefined)
    throw new PaymentNotFoundError('PayPal has no record of this payment.');
  const { custom_id: reference } = await retrieveSubscription(client, subscriptionId);
  return {
    reference,
    events: [
      ...(await fetchSaleEvents(client, paymentId)),
      ...(await fetchSaleRefundEvents(client, sale)),
      ...(await fetchDisputeEvents(client, paymentId)).filter(({ kind }) =>
        kind.startsWith('dispute'),
      ),
    ],
  };
}

/** Only PayPal's transaction search lists the refunds of a subscription payment. */
async function fetchSaleRefundEvents(
  client: PayPalClient,
  { id, create_time: createTime, state }: Sale,
): Promise<PaymentHistory['events']> {
  if (state !== 'refunded' && state !== 'partially_refunded') return [];
  const found = await fetchRefundTransactions(client, id, createTime);
  const getAmount = ({ transaction_amount: amount }: TransactionInfo): number =>
    Math.abs(parsePayPalMoney(amount).total);
  const refunded = sumAmounts(found.map(getAmount));
  return found.map((transaction) => ({
    kind: 'refund',
    id: `refund ${transaction.transaction_id}`,
    paymentId: id,
    amount: getAmount(transaction),
    refunded,
    at: new Date(transaction.transaction_initiation_date),
  }));
}

/** Excludes reversals. */
async function fetchRefundTransactions(
  client: PayPalClient,
  paymentId: string,
  paidAt: string | undefined,
): Promise<TransactionInfo[]> {
  const found: TransactionInfo[] = [];
  const now = new Date(client.now());
  for await (const transaction of iterateTransactions(client, parsePayPalTime(paidAt), now))
    if (
      transaction.transaction_event_code === REFUND_CODE &&
      transaction.paypal_reference_id === paymentId &&
      transaction.transaction_status === 'S'
    )
      found.push(transaction);
  return found;
}

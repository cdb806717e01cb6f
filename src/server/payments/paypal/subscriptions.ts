import type { SubscriptionStatus } from '@donation-form/core/donation';
import { NotChargedError, type Payment, type PaymentRequest } from '../payment-gateway.ts';
import { type Amount, type Money, parsePayPalMoney, toPayPalMoney } from './amounts.ts';
import { type PayPalClient, PayPalError } from './client.ts';
import {
  buildExperienceContext,
  type Capture,
  type Link,
  toApprovalStatus,
  toPayPalPayment,
} from './orders.ts';
import type { PlanRegistry } from './plans.ts';

/** https://developer.paypal.com/docs/api/subscriptions/v1/#definition-subscription */
export interface Subscription {
  readonly id: string;
  readonly status:
    'APPROVAL_PENDING' | 'APPROVED' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED';
  readonly status_update_time?: string;
  readonly custom_id?: string;
  readonly create_time: string;
  readonly start_time?: string;
  readonly billing_info?: {
    readonly failed_payments_count: number;
    readonly last_payment?: { readonly time: string };
    readonly last_failed_payment?: { readonly time: string };
  };
  readonly plan?: {
    readonly billing_cycles?: readonly {
      readonly pricing_scheme?: { readonly fixed_price?: Money };
    }[];
  };
  readonly links?: readonly Link[];
}

/** https://developer.paypal.com/docs/api/subscriptions/v1/#definition-transaction */
interface Transaction {
  readonly id: string;
  readonly status: Capture['status'];
  readonly amount_with_breakdown: { readonly gross_amount: Money };
  readonly time: string;
}

/** https://developer.paypal.com/docs/api/payments/v1/#definition-sale */
export interface Sale {
  readonly id: string;
  readonly state: 'completed' | 'partially_refunded' | 'pending' | 'refunded' | 'denied';
  readonly amount: { readonly total: string; readonly currency: string };
  readonly billing_agreement_id?: string;
  readonly create_time: string;
}

const DAY = 86_400_000;

/** Statuses of transactions that charged the donor or might still charge the donor. */
const TAKEN: readonly Capture['status'][] = [
  'COMPLETED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'PENDING',
];

/**
 * Creates a subscription for the donor to approve on PayPal's page. With `user_action: CONTINUE`,
 * PayPal charges nothing until the server activates the subscription.
 * @see https://developer.paypal.com/docs/api/subscriptions/v1/#definition-application_context
 */
export async function createSubscription(
  client: PayPalClient,
  plans: PlanRegistry,
  { reference, total, currency, frequency, language, returnUrl }: PaymentRequest,
): Promise<Payment> {
  if (frequency === 'once') throw new Error('a one-time donation has no subscription');
  const experienceContext = buildExperienceContext(returnUrl, language);
  try {
    const subscription = await client.call<Subscription>('POST', '/v1/billing/subscriptions', {
      requestId: reference,
      body: {
        plan_id: await plans.providePlanId(frequency, currency),
        custom_id: reference,
        plan: {
          billing_cycles: [
            {
              sequence: 1,
              total_cycles: 0,
              pricing_scheme: { fixed_price: toPayPalMoney(total, currency) },
            },
          ],
        },
        application_context: { ...experienceContext, user_action: 'CONTINUE' },
      },
    });
    return toPendingPayment(subscription, { total, currency });
  } catch (error) {
    if (error instanceof PayPalError && error.isRejection)
      plans.clearCachedPlan(frequency, currency);
    throw error;
  }
}

export async function retrieveFirstPayment(
  client: PayPalClient,
  subscriptionId: string,
): Promise<Payment> {
  const subscription = await retrieveSubscription(client, subscriptionId);
  const { status, billing_info: billing } = subscription;
  if (status === 'APPROVAL_PENDING' || status === 'APPROVED') return toPendingPayment(subscription);
  const [first] = await listChargedTransactions(client, subscription, client.now());
  if (first)
    return toPayPalPayment(
      { paymentId: first.id, subscriptionId },
      first.status,
      first.amount_with_breakdown.gross_amount,
    );
  const hasFailed = (billing?.failed_payments_count ?? 0) > 0 || status === 'SUSPENDED';
  const ids = toFirstPaymentIds(subscriptionId);
  if (hasFailed || status !== 'ACTIVE')
    return { ...ids, status: 'failed', reason: hasFailed ? 'card-declined' : 'not-confirmed' };
  return { ...ids, ...getRecurringPrice(subscription), status: 'processing' };
}

/** Activates an approved subscription. @throws {NotChargedError} if PayPal rejects the call. */
export async function activateSubscription(
  client: PayPalClient,
  subscriptionId: string,
): Promise<Payment> {
  try {
    await client.call('POST', `/v1/billing/subscriptions/${subscriptionId}/activate`, {
      body: { reason: 'The donor approved the subscription.' },
    });
  } catch (error) {
    if (!(error instanceof PayPalError) || !error.isRejection) throw error;
    const payment = await retrieveFirstPayment(client, subscriptionId);
    if (payment.status !== 'approved') return payment;
    throw new NotChargedError(`PayPal rejected the activation (${error.code})`, { cause: error });
  }
  const payment = await retrieveFirstPayment(client, subscriptionId);
  return payment.status === 'approved' ? { ...payment, status: 'processing' } : payment;
}

export async function retrieveSale(client: PayPalClient, saleId: string): Promise<Payment> {
  return saleToPayment(await client.get<Sale>(`/v1/payments/sale/${saleId}`));
}

export async function cancelDeclinedSubscription(
  client: PayPalClient,
  subscriptionId: string,
): Promise<void> {
  try {
    await client.call('POST', `/v1/billing/subscriptions/${subscriptionId}/cancel`, {
      body: { reason: 'The first payment was declined.' },
    });
  } catch (error) {
    // PayPal rejects the cancellation if the subscription is already canceled.
    if (!(error instanceof PayPalError) || !error.isRejection) throw error;
  }
}

export function retrieveSubscription(
  client: PayPalClient,
  subscriptionId: string,
): Promise<Subscription> {
  return client.get(`/v1/billing/subscriptions/${subscriptionId}`, { fields: 'plan' });
}

/** Returns true if the subscription has an earlier payment. */
export async function fetchIsRenewal(
  client: PayPalClient,
  subscription: Subscription,
  { id, create_time: createTime }: Sale,
): Promise<boolean> {
  const [first] = await listChargedTransactions(client, subscription, Date.parse(createTime));
  return first !== undefined && first.id !== id;
}

/** Lists the transactions that charged the donor or still might, oldest first. */
async function listChargedTransactions(
  client: PayPalClient,
  { id, create_time: createTime, start_time: startTime }: Subscription,
  until: number,
): Promise<Transaction[]> {
  const start = Math.min(...[createTime, startTime ?? createTime].map((time) => Date.parse(time)));
  const { transactions = [] } = await client.get<{ readonly transactions?: Transaction[] }>(
    `/v1/billing/subscriptions/${id}/transactions`,
    {
      start_time: new Date(start - DAY).toISOString(),
      end_time: new Date(until + DAY).toISOString(),
    },
  );
  return transactions
    .filter(({ status }) => TAKEN.includes(status))
    .sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
}

/** Returns `undefined` if the subscription is not active yet. */
export function getSubscriptionStatus(subscription: Subscription): SubscriptionStatus | undefined {
  switch (subscription.status) {
    case 'APPROVAL_PENDING':
    case 'APPROVED':
      return undefined;
    case 'ACTIVE':
      return (subscription.billing_info?.failed_payments_count ?? 0) > 0 ? 'retrying' : 'active';
    case 'SUSPENDED':
      return 'suspended';
    case 'CANCELLED':
    case 'EXPIRED':
      return 'canceled';
  }
}

export function saleToPayment(sale: Sale): Payment {
  const { id, state, amount, billing_agreement_id: subscriptionId } = sale;
  const status = state === 'denied' ? 'DECLINED' : (state.toUpperCase() as Capture['status']);
  const money = { value: amount.total, currency_code: amount.currency };
  return toPayPalPayment({ paymentId: id, subscriptionId }, status, money);
}

/** @param agreed amount of a new subscription, because the response may not contain the plan. */
function toPendingPayment(subscription: Subscription, agreed?: Amount): Payment {
  const { id, status, links = [] } = subscription;
  const common = { ...toFirstPaymentIds(id), ...(agreed ?? getRecurringPrice(subscription)) };
  return {
    ...common,
    ...(status === 'APPROVED' ? { status: 'approved' } : toApprovalStatus(links)),
  };
}

/** Before its first payment exists, a subscription's ID serves as the payment's ID. */
function toFirstPaymentIds(subscriptionId: string): Pick<Payment, 'paymentId' | 'subscriptionId'> {
  return { paymentId: subscriptionId, subscriptionId };
}

function getRecurringPrice({ id, plan }: Subscription): Amount {
  const price = plan?.billing_cycles?.[0]?.pricing_scheme?.fixed_price;
  if (!price) throw new Error(`PayPal subscription ${id} has no price`);
  return parsePayPalMoney(price);
}

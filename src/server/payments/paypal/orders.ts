import { PaymentMethodType } from '@donation-form/core/donation';
import { CANCELED_PARAMETER } from '@donation-form/core/url';
import { NotChargedError, type Payment, type PaymentRequest } from '../payment-gateway.ts';
import { parsePayPalMoney, toPayPalMoney, type Money } from './amounts.ts';
import { PayPalError, type PayPalClient } from './client.ts';
import { getPayPalLocale } from './locales.ts';

/** https://developer.paypal.com/docs/api/orders/v2/#definition-order */
export interface Order {
  readonly id: string;
  readonly status:
    'CREATED' | 'SAVED' | 'APPROVED' | 'VOIDED' | 'COMPLETED' | 'PAYER_ACTION_REQUIRED';
  readonly purchase_units?: readonly PurchaseUnit[];
  readonly links?: readonly Link[];
}

interface PurchaseUnit {
  readonly amount?: Money;
  readonly payments?: {
    readonly captures?: readonly Capture[];
    readonly refunds?: readonly Refund[];
  };
}

/** https://developer.paypal.com/docs/api/payments/v2/#definition-capture */
export interface Capture {
  readonly id: string;
  readonly status:
    'COMPLETED' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'PENDING' | 'REFUNDED' | 'FAILED';
  readonly amount: Money;
  readonly custom_id?: string;
  readonly create_time?: string;
  readonly supplementary_data?: { readonly related_ids?: { readonly order_id?: string } };
}

/** https://developer.paypal.com/docs/api/payments/v2/#definition-refund */
export interface Refund {
  readonly id: string;
  readonly status: 'CANCELLED' | 'FAILED' | 'PENDING' | 'COMPLETED';
  readonly amount: Money;
  readonly create_time?: string;
  readonly seller_payable_breakdown?: { readonly total_refunded_amount?: Money };
  readonly links?: readonly Link[];
}

export interface Link {
  readonly rel: string;
  readonly href: string;
}

/** PayPal's maximum length of a description, in characters. */
const MAX_DESCRIPTION_LENGTH = 127;

/** Link relation types for PayPal's page on which donors approve an order. */
const APPROVAL_RELATIONS: readonly string[] = ['payer-action', 'approve'];

/**
 * PayPal's issue codes for declined payments that the donor can retry with another card or account.
 * @see https://developer.paypal.com/api/rest/reference/orders/v2/errors/#capture-order
 */
const DECLINES: readonly string[] = [
  'INSTRUMENT_DECLINED',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'PAYER_ACCOUNT_RESTRICTED',
  'PAYER_CANNOT_PAY',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'TRANSACTION_LIMIT_EXCEEDED',
  'TRANSACTION_REFUSED',
  'COMPLIANCE_VIOLATION',
  'PAYEE_BLOCKED_TRANSACTION',
  'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
];

/** Prefix that distinguishes order IDs from capture IDs, which have the same format. */
const ORDER_PREFIX = 'order-';

export function toOrderPaymentId(orderId: string): string {
  return ORDER_PREFIX + orderId;
}

/** Returns the payment's order ID, or `undefined` if the payment has been captured. */
export function getOrderId(paymentId: string): string | undefined {
  return paymentId.startsWith(ORDER_PREFIX) ? paymentId.slice(ORDER_PREFIX.length) : undefined;
}

/**
 * Creates an order. PayPal moves no money until the donor approves the order and the server
 * captures it. The order omits the donor's name and email, because PayPal uses those of the donor's
 * account.
 */
export async function createOrder(
  client: PayPalClient,
  { reference, total, currency, description, language, returnUrl }: PaymentRequest,
): Promise<Payment> {
  const locale = getPayPalLocale(language);
  const order = await client.call<Order>('POST', '/v2/checkout/orders', {
    requestId: reference,
    body: {
      intent: 'CAPTURE',
      purchase_units: [
        {
          amount: toPayPalMoney(total, currency),
          custom_id: reference,
          // PayPal accounts can be configured to reject a second payment with the same invoice ID.
          invoice_id: reference,
          description: getDescription(description, reference),
        },
      ],
      payment_source: {
        paypal: {
          experience_context: {
            ...buildReturnUrls(returnUrl),
            ...(locale !== undefined && { locale }),
            shipping_preference: 'NO_SHIPPING',
            user_action: 'PAY_NOW',
          },
        },
      },
    },
  });
  return orderToPayment(order, { total, currency });
}

/**
 * Retrieves an order's payment. If the order no longer exists, returns a failed payment, because
 * PayPal deletes orders that are not approved and captured in time.
 */
export async function retrieveOrder(client: PayPalClient, orderId: string): Promise<Payment> {
  try {
    return orderToPayment(await client.get<Order>(`/v2/checkout/orders/${orderId}`));
  } catch (error) {
    if (error instanceof PayPalError && error.status === 404) return toExpiredPayment(orderId);
    throw error;
  }
}

/**
 * Captures an approved order, which charges the donor.
 * @throws {NotChargedError} if PayPal rejects the call.
 */
export async function captureOrder(
  client: PayPalClient,
  orderId: string,
  reference: string,
): Promise<Payment> {
  try {
    return orderToPayment(
      await client.call<Order>('POST', `/v2/checkout/orders/${orderId}/capture`, {
        requestId: `${reference}-capture`,
        body: {},
      }),
    );
  } catch (error) {
    if (!(error instanceof PayPalError) || !error.isRejection) throw error;
    if (error.hasAnyIssue('ORDER_ALREADY_CAPTURED')) return retrieveOrder(client, orderId);
    if (error.hasAnyIssue('ORDER_COMPLETION_IN_PROGRESS')) throw error;
    if (error.hasAnyIssue(...DECLINES))
      return {
        paymentId: toOrderPaymentId(orderId),
        status: 'failed',
        reason: 'card-declined',
      };
    throw new NotChargedError(`PayPal rejected the capture (${error.code})`, { cause: error });
  }
}

/** @param agreed amount of a new order, because PayPal's minimal response omits the amount. */
function orderToPayment(
  { id, status, purchase_units: [unit] = [], links = [] }: Order,
  agreed?: { readonly total: number; readonly currency: string },
): Payment {
  const capture = unit?.payments?.captures?.at(-1);
  if (capture) return captureToPayment(capture);
  const common = {
    paymentId: toOrderPaymentId(id),
    ...(unit?.amount ? parsePayPalMoney(unit.amount) : agreed),
  };
  switch (status) {
    case 'CREATED':
    case 'SAVED':
    case 'PAYER_ACTION_REQUIRED': {
      const url = links.find(({ rel }) => APPROVAL_RELATIONS.includes(rel))?.href;
      return {
        ...common,
        status: 'requires_action',
        ...(url !== undefined && { action: { kind: 'redirect', url } }),
      };
    }
    case 'APPROVED':
      return { ...common, status: 'approved' };
    case 'VOIDED':
      return { ...common, status: 'failed', reason: 'not-confirmed' };
    default:
      throw new Error(`PayPal order ${id} has the status ${status} but no capture`);
  }
}

export function captureToPayment({ id, status, amount }: Capture): Payment {
  return {
    paymentId: id,
    ...toPaymentStatus(status),
    ...parsePayPalMoney(amount),
    method: PaymentMethodType.Wallet,
  };
}

/** Converts the status of a capture or of a subscription's transaction to a payment status. */
export function toPaymentStatus(status: Capture['status']): Pick<Payment, 'status' | 'reason'> {
  switch (status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return { status: 'succeeded' };
    // For example, an eCheck, a payment under review, or a currency that the account does not hold.
    case 'PENDING':
      return { status: 'processing' };
    case 'DECLINED':
    case 'FAILED':
      return { status: 'failed', reason: 'card-declined' };
  }
}

function toExpiredPayment(orderId: string): Payment {
  return { paymentId: toOrderPaymentId(orderId), status: 'failed', reason: 'not-confirmed' };
}

/**
 * Builds the URLs to which PayPal returns the donor. The cancel URL has a parameter that tells the
 * form to cancel the donation.
 * @throws {NotChargedError} if the request has no return URL.
 */
export function buildReturnUrls(returnUrl: string | undefined): {
  readonly return_url: string;
  readonly cancel_url: string;
} {
  if (returnUrl === undefined)
    throw new NotChargedError('PayPal requires a return URL, but the form is not on a web page');
  const cancelUrl = new URL(returnUrl);
  cancelUrl.searchParams.append(CANCELED_PARAMETER, '1');
  return { return_url: returnUrl, cancel_url: cancelUrl.href };
}

/** Returns the description, or the reference if the description is too long for PayPal. */
function getDescription(description: string, reference: string): string {
  return description.length <= MAX_DESCRIPTION_LENGTH ? description : reference;
}

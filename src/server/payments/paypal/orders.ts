import { PaymentMethodType } from '@donation-form/core/donation';
import { CANCELED_PARAMETER } from '@donation-form/core/url';
import {
  NotChargedError,
  type Payment,
  type PaymentEvent,
  type PaymentIds,
  type PaymentRequest,
} from '../payment-gateway.ts';
import { type Amount, type Money, parsePayPalMoney, toPayPalMoney } from './amounts.ts';
import { ignoreNotFoundError, type PayPalClient, PayPalError } from './client.ts';

/** https://developer.paypal.com/docs/api/orders/v2/#definition-order */
export interface Order {
  readonly id: string;
  readonly status:
    'CREATED' | 'SAVED' | 'APPROVED' | 'VOIDED' | 'COMPLETED' | 'PAYER_ACTION_REQUIRED';
  readonly purchase_units?: readonly {
    readonly amount?: Money;
    readonly payments?: {
      readonly captures?: readonly Capture[];
      readonly refunds?: readonly Refund[];
    };
  }[];
  readonly links?: readonly Link[];
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

/**
 * PayPal's locales, keyed by form language. For other languages, PayPal chooses the locale.
 * @see https://developer.paypal.com/api/rest/reference/locale-codes/
 */
const LOCALES: Readonly<Record<string, string>> = {
  en: 'en-US',
  'en-GB': 'en-GB',
  de: 'de-DE',
  es: 'es-ES',
  fr: 'fr-FR',
  he: 'he-IL',
  it: 'it-IT',
  ja: 'ja-JP',
  nl: 'nl-NL',
  pl: 'pl-PL',
  'pt-BR': 'pt-BR',
  sv: 'sv-SE',
  'zh-Hans': 'zh-CN',
};

/** Link relations of PayPal's page on which donors approve an order or subscription. */
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

/** Distinguishes order IDs from capture IDs, which have the same format. */
const ORDER_PREFIX = 'order-';

export function toOrderPaymentId(orderId: string): string {
  return ORDER_PREFIX + orderId;
}

export function getOrderId(paymentId: string): string | undefined {
  return paymentId.startsWith(ORDER_PREFIX) ? paymentId.slice(ORDER_PREFIX.length) : undefined;
}

/** Omits the donor's name and email, because PayPal uses those of the donor's account. */
export async function createOrder(
  client: PayPalClient,
  { reference, total, currency, description, language, returnUrl }: PaymentRequest,
): Promise<Payment> {
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
          description: description.length <= MAX_DESCRIPTION_LENGTH ? description : reference,
        },
      ],
      payment_source: {
        paypal: {
          experience_context: {
            ...buildExperienceContext(returnUrl, language),
            user_action: 'PAY_NOW',
          },
        },
      },
    },
  });
  return orderToPayment(order, { total, currency });
}

/** Retrieves an order's payment. PayPal deletes orders that are not captured in time. */
export async function retrieveOrder(client: PayPalClient, orderId: string): Promise<Payment> {
  return client.get<Order>(`/v2/checkout/orders/${orderId}`).then(
    (order) => orderToPayment(order),
    (error: unknown) => {
      ignoreNotFoundError(error);
      return { paymentId: toOrderPaymentId(orderId), status: 'failed', reason: 'not-confirmed' };
    },
  );
}

/** Captures an approved order. @throws {NotChargedError} if PayPal rejects the call. */
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
      return { paymentId: toOrderPaymentId(orderId), status: 'failed', reason: 'card-declined' };
    throw new NotChargedError(`PayPal rejected the capture (${error.code})`, { cause: error });
  }
}

/** @param agreed amount of a new order, because PayPal's minimal response omits the amount. */
function orderToPayment(
  { id, status, purchase_units: [unit] = [], links = [] }: Order,
  agreed?: Amount,
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
    case 'PAYER_ACTION_REQUIRED':
      return { ...common, ...toApprovalStatus(links) };
    case 'APPROVED':
      return { ...common, status: 'approved' };
    case 'VOIDED':
      return { ...common, status: 'failed', reason: 'not-confirmed' };
    default:
      throw new Error(`PayPal order ${id} has the status ${status} but no capture`);
  }
}

/** Converts the links of an order or subscription that the donor has not approved. */
export function toApprovalStatus(links: readonly Link[]): Pick<Payment, 'status' | 'action'> {
  const url = links.find(({ rel }) => APPROVAL_RELATIONS.includes(rel))?.href;
  return {
    status: 'requires_action',
    ...(url !== undefined && { action: { kind: 'redirect', url } }),
  };
}

export function captureToPayment({ id, status, amount }: Capture): Payment {
  return toPayPalPayment({ paymentId: id }, status, amount);
}

export function toPayPalPayment(
  ids: PaymentIds,
  status: Capture['status'],
  amount: Money,
): Payment {
  return {
    ...ids,
    ...PAYMENT_STATUSES[status],
    ...parsePayPalMoney(amount),
    method: PaymentMethodType.Wallet,
  };
}

const PAYMENT_STATUSES: Readonly<Record<Capture['status'], Pick<Payment, 'status' | 'reason'>>> = {
  COMPLETED: { status: 'succeeded' },
  PARTIALLY_REFUNDED: { status: 'succeeded' },
  REFUNDED: { status: 'succeeded' },
  // For example, an eCheck, a payment under review, or a currency that the account does not hold.
  PENDING: { status: 'processing' },
  DECLINED: { status: 'failed', reason: 'card-declined' },
  FAILED: { status: 'failed', reason: 'card-declined' },
};

/** @throws {NotChargedError} if the request has no return URL. */
export function buildExperienceContext(returnUrl: string | undefined, language: string) {
  if (returnUrl === undefined)
    throw new NotChargedError('PayPal requires a return URL, but the form is not on a web page');
  const cancelUrl = new URL(returnUrl);
  cancelUrl.searchParams.append(CANCELED_PARAMETER, '1');
  const locale = LOCALES[language];
  return {
    return_url: returnUrl,
    cancel_url: cancelUrl.href,
    ...(locale !== undefined && { locale }),
    shipping_preference: 'NO_SHIPPING',
  };
}

export function fetchCapture(client: PayPalClient, id: string): Promise<Capture> {
  return client.get(`/v2/payments/captures/${id}`);
}

/** Returns the payment event for the capture's order, if it has one. */
export function toOrderEvents({ supplementary_data: data }: Capture): PaymentEvent[] {
  const orderId = data?.related_ids?.order_id;
  return orderId === undefined ? [] : [{ kind: 'payment', paymentId: toOrderPaymentId(orderId) }];
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { getCurrencyDecimals, toMajorUnits } from '@donation-form/core/money';
import { PaymentMethodType } from '@donation-form/core/donation';
import { createFailedResult, createPassedResult, type CheckResult } from '../lib/check-result.ts';
import { isConnectionError } from '../lib/describe-error.ts';
import { MAX_PAGES, createPageLimitError } from '../lib/page-limit.ts';
import { readLimitedJson } from '../lib/response-limit.ts';
import {
  NotChargedError,
  InvalidPayloadError,
  InvalidSignatureError,
  PaymentNotFoundError,
  type PaymentRequest,
  type PaymentEvent,
  type ListedPayment,
  type Payment,
  type PaymentGateway,
  type PaymentIds,
  type PaymentHistory,
} from './payment-gateway.ts';

export interface SandboxGatewayOptions {
  readonly baseUrl: string;
  readonly secretKey: string;
  /** If absent, all webhooks are rejected. */
  readonly webhookSecret?: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
  /** Timeout of one call, in milliseconds. */
  readonly timeout?: number;
  readonly now?: () => number;
}

const paymentSchema = z.object({
  id: z.string(),
  reference: z.string(),
  renewalOf: z.string().nullable(),
  amount: z.int(),
  currency: z.string(),
  state: z.enum(['open', 'action', 'pending', 'succeeded', 'declined', 'canceled']),
  declineCode: z.string().nullable(),
  method: z.enum(['card', 'bank', 'wallet']).nullable(),
  page: z.url().nullable(),
  action: z.object({ url: z.url() }).nullable(),
  subscription: z.string().nullable(),
  refunds: z.array(z.object({ id: z.string(), amount: z.int(), created: z.string() })),
  dispute: z.object({ id: z.string(), state: z.enum(['open', 'won', 'lost']) }).nullable(),
  created: z.string(),
});
type SandboxPayment = z.infer<typeof paymentSchema>;
const listSchema = z.object({
  payments: z.array(paymentSchema.extend({ fee: z.int(), net: z.int() })),
  next: z.string().nullable(),
});
const conflictSchema = z.object({ payment: paymentSchema });
const subscriptionSchema = z.object({
  id: z.string(),
  state: z.enum(['inactive', 'active', 'retrying', 'suspended', 'cancelled']),
});
const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  payment: z.string().optional(),
  subscription: z.string().optional(),
  created: z.string(),
});

const METHODS = {
  card: PaymentMethodType.CreditCard,
  bank: PaymentMethodType.ACH,
  wallet: PaymentMethodType.Wallet,
} as const;
/** Maximum age of a webhook, in milliseconds. */
const MAX_WEBHOOK_AGE = 300_000;

/** Creates the gateway to the sandbox's payment provider. */
export function createSandboxGateway({
  baseUrl,
  secretKey,
  webhookSecret,
  fetch = globalThis.fetch,
  timeout = 15_000,
  now = Date.now,
}: SandboxGatewayOptions): PaymentGateway {
  const base = baseUrl.replace(/\/$/, '');

  async function callProcessor(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    key?: string,
  ): Promise<unknown> {
    const headers = {
      Authorization: `Bearer ${secretKey}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    };
    const response = await fetch(`${base}${path}`, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      ...(body && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw isConnectionError(cause)
        ? new NotChargedError('cannot reach the sandbox', { cause })
        : cause;
    });
    if (response.status === 409)
      return conflictSchema.parse(await readLimitedJson(response)).payment;
    if (response.status === 200) return readLimitedJson(response);
    await response.body?.cancel();
    if ([400, 401, 429].includes(response.status))
      throw new NotChargedError(`the sandbox rejected the call with status ${response.status}`);
    if (response.status === 404)
      throw new PaymentNotFoundError('The sandbox does not know the payment or subscription.');
    throw new Error(`the sandbox responded with status ${response.status}`);
  }

  const fetchPayment = async (paymentId: string): Promise<SandboxPayment> =>
    paymentSchema.parse(await callProcessor('GET', `/payments/${paymentId}`));

  async function fetchEvents({
    id,
    type,
    payment: paymentId,
    subscription,
    created,
  }: z.infer<typeof eventSchema>): Promise<PaymentEvent[]> {
    if (paymentId === undefined && subscription === undefined) return [];
    const at = new Date(created);
    const payment = paymentId === undefined ? undefined : await fetchPayment(paymentId);
    const renewals: PaymentEvent[] =
      type === 'subscription.renewed' && payment && subscription !== undefined
        ? [
            {
              kind: 'renewal',
              id: `renewal ${payment.id}`,
              subscriptionId: subscription,
              payment: toPayment(payment),
              at,
            },
          ]
        : [];
    return [
      ...renewals,
      ...(payment
        ? [
            { kind: 'payment', paymentId: payment.id } as const,
            ...toRefundAndDisputeEvents(payment, at),
          ]
        : []),
      ...(subscription === undefined ? [] : await fetchSubscriptionEvents(subscription, id, at)),
    ];
  }

  async function fetchSubscriptionEvents(
    subscriptionId: string,
    eventId: string,
    at: Date,
  ): Promise<PaymentEvent[]> {
    const { state } = subscriptionSchema.parse(
      await callProcessor('GET', `/subscriptions/${subscriptionId}`),
    );
    return state === 'inactive'
      ? []
      : [
          {
            kind: 'recurring',
            id: `recurring ${subscriptionId} ${state} ${eventId}`,
            subscriptionId,
            status: state === 'cancelled' ? 'canceled' : state,
            at,
          },
        ];
  }

  return {
    async createPayment({
      reference,
      total,
      currency,
      frequency,
      donor: { email },
      description,
      receiptSender,
      token,
      returnUrl,
    }: PaymentRequest): Promise<Payment> {
      const isHosted = token === undefined;
      const body = {
        reference,
        amount: total,
        currency,
        frequency,
        description,
        receipt: receiptSender === 'processor',
        ...(email !== undefined && { email }),
        ...(isHosted && { hosted: true, returnUrl }),
      };
      return toPayment(
        paymentSchema.parse(await callProcessor('POST', '/payments', body, reference)),
      );
    },
    async chargePayment(
      { paymentId }: PaymentIds,
      { token, returnUrl }: PaymentRequest,
    ): Promise<Payment> {
      return toPayment(
        paymentSchema.parse(
          await callProcessor('POST', `/payments/${paymentId}/confirm`, {
            token,
            ...(returnUrl !== undefined && { returnUrl }),
          }),
        ),
      );
    },
    retrievePayment: async ({ paymentId }: PaymentIds) => toPayment(await fetchPayment(paymentId)),
    cancelPayment: async ({ paymentId }: PaymentIds) =>
      toPayment(
        paymentSchema.parse(await callProcessor('POST', `/payments/${paymentId}/cancel`, {})),
      ),
    async verifyAndFetchEvents(body: string, headers: Headers): Promise<readonly PaymentEvent[]> {
      const [, seconds = '', signature = ''] =
        /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers.get('Sandbox-Signature') ?? '') ?? [];
      const expected = createHmac('sha256', webhookSecret ?? '')
        .update(`${seconds}.${body}`)
        .digest();
      if (
        webhookSecret === undefined ||
        !timingSafeEqual(Buffer.from(signature.padEnd(64, '0'), 'hex'), expected)
      )
        throw new InvalidSignatureError(
          'The Sandbox-Signature header does not match this body and the webhook secret.',
        );
      if (Math.abs(now() - Number(seconds) * 1_000) > MAX_WEBHOOK_AGE)
        throw new InvalidSignatureError('The Sandbox-Signature header is older than five minutes.');
      return fetchEvents(parseEvent(body));
    },
    getPortalUrl: () => Promise.resolve(`${base}/portal`),
    async *iteratePayments(from: Date, to: Date): AsyncGenerator<ListedPayment> {
      let after = '';
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const page: z.infer<typeof listSchema> = listSchema.parse(
          await callProcessor(
            'GET',
            `/payments?${new URLSearchParams({ from: from.toISOString(), to: to.toISOString(), ...(after !== '' && { after }) })}`,
          ),
        );
        for (const payment of page.payments)
          if (payment.state === 'pending' || payment.state === 'succeeded')
            yield toListedPayment(
              payment,
              payment.state === 'pending' ? 'processing' : 'succeeded',
            );
        if (page.next === null) return;
        after = page.next;
      }
      throw createPageLimitError("the provider's list of payments", MAX_PAGES);
    },
    async listEvents(paymentId: string): Promise<PaymentHistory> {
      const payment = await fetchPayment(paymentId);
      const at = new Date(payment.created);
      const { subscription } = payment;
      const renewals: PaymentEvent[] =
        payment.renewalOf !== null && subscription !== null && payment.state === 'succeeded'
          ? [
              {
                kind: 'renewal',
                id: `renewal ${payment.id}`,
                subscriptionId: subscription,
                payment: toPayment(payment),
                at,
              },
            ]
          : [];
      return {
        reference: payment.reference,
        events: [
          ...renewals,
          { kind: 'payment', paymentId },
          ...toRefundAndDisputeEvents(payment, new Date(now())),
          ...(subscription === null
            ? []
            : await fetchSubscriptionEvents(subscription, payment.id, at)),
        ],
      };
    },
    async runChecks(): Promise<readonly CheckResult[]> {
      const { status, body } = await fetch(`${base}/payments?reference=check`, {
        headers: { Authorization: `Bearer ${secretKey}` },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      });
      await body?.cancel();
      return [
        status === 200
          ? createPassedResult(
              'sandbox',
              `Accepts the key. No money moves.${webhookSecret === undefined ? ' Webhooks are rejected, because webhookSecret is not configured.' : ''}`,
            )
          : createFailedResult(
              'sandbox',
              status === 401
                ? 'The sandbox rejected the key. Put the secret key that donation-form sandbox prints where secretKey points.'
                : `The sandbox responded with status ${status}; expected 200. Check its baseUrl.`,
            ),
      ];
    },
  };
}

/** @throws {InvalidPayloadError} */
function parseEvent(body: string): z.infer<typeof eventSchema> {
  try {
    return eventSchema.parse(JSON.parse(body));
  } catch (cause) {
    throw new InvalidPayloadError('The body is not a sandbox event.', { cause });
  }
}

function toPayment(payment: SandboxPayment): Payment {
  const { id, state, amount, currency, method, page, action, subscription } = payment;
  const url = state === 'open' ? page : action?.url;
  return {
    paymentId: id,
    total: amount,
    currency,
    ...(subscription !== null && { subscriptionId: subscription }),
    ...(method && { method: METHODS[method] }),
    ...getPaymentStatus(payment),
    ...(url && { action: { kind: 'redirect', url } }),
  };
}

function getPaymentStatus({
  state,
  page,
  declineCode,
}: SandboxPayment): Pick<Payment, 'status' | 'awaiting' | 'reason'> {
  switch (state) {
    case 'open':
      return { status: page === null ? 'unconfirmed' : 'requires_action' };
    case 'action':
      return { status: 'requires_action' };
    case 'pending':
      return { status: 'processing', awaiting: 'bank' };
    case 'succeeded':
      return { status: 'succeeded' };
    case 'declined':
      return {
        status: 'failed',
        reason: declineCode === 'authentication-refused' ? 'not-confirmed' : 'card-declined',
      };
    case 'canceled':
      return { status: 'failed', reason: 'not-confirmed' };
  }
}

function toListedPayment(
  {
    id,
    reference,
    renewalOf,
    amount,
    currency,
    fee,
    net,
    refunds,
    dispute,
    created,
  }: z.infer<typeof listSchema>['payments'][number],
  status: ListedPayment['status'],
): ListedPayment {
  const formatAmount = (sum: number): string =>
    `${sum < 0 ? '-' : ''}${toMajorUnits(Math.abs(sum), getCurrencyDecimals(currency) ?? 2)}`;
  return {
    paymentId: id,
    ...(renewalOf === null && { reference }),
    at: new Date(created),
    status,
    total: amount,
    currency,
    ...(status === 'succeeded' && {
      cost: { fee: formatAmount(fee), net: formatAmount(net), currency },
    }),
    refunded: refunds.reduce((sum, refund) => sum + refund.amount, 0),
    dispute: dispute?.state,
  };
}

/** Converts a payment's refunds and dispute to events. */
function toRefundAndDisputeEvents(
  { id: paymentId, amount, refunds, dispute }: SandboxPayment,
  at: Date,
): PaymentEvent[] {
  const refunded = refunds.reduce((sum, refund) => sum + refund.amount, 0);
  return [
    ...refunds.map((refund): PaymentEvent => ({
      kind: 'refund',
      id: `refund ${refund.id}`,
      paymentId,
      amount: refund.amount,
      refunded,
      at: new Date(refund.created),
    })),
    ...(dispute
      ? (['opened', ...(dispute.state === 'open' ? [] : [dispute.state])] as const).map(
          (step): PaymentEvent => ({
            kind: `dispute_${step}`,
            id: `dispute_${step} ${dispute.id}`,
            paymentId,
            amount,
            at,
          }),
        )
      : []),
  ];
}

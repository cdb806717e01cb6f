import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { decimalsOf, majorUnits } from '@donation-form/core/money';
import { PaymentMethodType } from '@donation-form/core/donation';
import { ok, wrong, type Finding } from '../lib/finding.ts';
import { isConnectionError } from '../lib/describe-error.ts';
import {
  NotChargedError,
  InvalidSignatureError,
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
  /** Absent: no webhook is believed. */
  readonly webhookSecret?: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds to wait for one answer. */
  readonly timeout?: number;
  readonly now?: () => number;
}

const paymentAnswer = z.object({
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
type SandboxPayment = z.infer<typeof paymentAnswer>;
const listAnswer = z.object({
  payments: z.array(paymentAnswer.extend({ fee: z.int(), net: z.int() })),
  next: z.string().nullable(),
});
const conflictAnswer = z.object({ payment: paymentAnswer });
const subscriptionAnswer = z.object({
  id: z.string(),
  state: z.enum(['inactive', 'active', 'retrying', 'suspended', 'cancelled']),
});
const event = z.object({
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
/** How old a webhook may be, in milliseconds. */
const BELIEVED_FOR = 300_000;

/** The sandbox's card processor. */
export function sandboxGateway({
  baseUrl,
  secretKey,
  webhookSecret,
  fetch = globalThis.fetch,
  timeout = 15_000,
  now = Date.now,
}: SandboxGatewayOptions): PaymentGateway {
  const base = baseUrl.replace(/\/$/, '');

  async function call(
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
        ? new NotChargedError('the card processor cannot be reached', { cause })
        : cause;
    });
    if (response.status === 409) return conflictAnswer.parse(await response.json()).payment;
    if ([400, 401, 429].includes(response.status))
      throw new NotChargedError(`the card processor refused with ${response.status}`);
    if (response.status !== 200) throw new Error(`the card processor answered ${response.status}`);
    return response.json();
  }

  const read = async (paymentId: string): Promise<SandboxPayment> =>
    paymentAnswer.parse(await call('GET', `/payments/${paymentId}`));

  async function readEvent({
    id,
    type,
    payment: paymentId,
    subscription,
    created,
  }: z.infer<typeof event>): Promise<PaymentEvent[]> {
    if (paymentId === undefined && subscription === undefined) return [];
    const at = new Date(created);
    const payment = paymentId === undefined ? undefined : await read(paymentId);
    const renewed: PaymentEvent[] =
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
      ...renewed,
      ...(payment
        ? [{ kind: 'payment', paymentId: payment.id } as const, ...eventsOfPayment(payment, at)]
        : []),
      ...(subscription === undefined ? [] : await readSubscription(subscription, id, at)),
    ];
  }

  async function readSubscription(
    subscriptionId: string,
    eventId: string,
    at: Date,
  ): Promise<PaymentEvent[]> {
    const { state } = subscriptionAnswer.parse(
      await call('GET', `/subscriptions/${subscriptionId}`),
    );
    return state === 'inactive'
      ? []
      : [
          {
            kind: 'recurring',
            id: `recurring ${subscriptionId} ${state} ${eventId}`,
            subscriptionId,
            status: state,
            at,
          },
        ];
  }

  return {
    async create({
      reference,
      total,
      currency,
      frequency,
      donor: { email },
      description,
      wantsReceipt,
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
        receipt: wantsReceipt,
        ...(email !== undefined && { email }),
        ...(isHosted && { hosted: true, returnUrl }),
      };
      return toPayment(paymentAnswer.parse(await call('POST', '/payments', body, reference)));
    },
    async confirm(
      { paymentId }: PaymentIds,
      { token, returnUrl }: PaymentRequest,
    ): Promise<Payment> {
      return toPayment(
        paymentAnswer.parse(
          await call('POST', `/payments/${paymentId}/confirm`, {
            token,
            ...(returnUrl !== undefined && { returnUrl }),
          }),
        ),
      );
    },
    retrieve: async ({ paymentId }: PaymentIds) => toPayment(await read(paymentId)),
    cancel: async ({ paymentId }: PaymentIds) =>
      toPayment(paymentAnswer.parse(await call('POST', `/payments/${paymentId}/cancel`, {}))),
    async webhook(body: string, headers: Headers): Promise<readonly PaymentEvent[]> {
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
          'The header Sandbox-Signature does not fit this body and the secret of these webhooks.',
        );
      if (Math.abs(now() - Number(seconds) * 1_000) > BELIEVED_FOR)
        throw new InvalidSignatureError('The header Sandbox-Signature is older than five minutes.');
      return readEvent(event.parse(JSON.parse(body)));
    },
    portalUrl: () => Promise.resolve(`${base}/portal`),
    async *list(from: Date, to: Date): AsyncGenerator<ListedPayment> {
      for (let after: string | null = ''; after !== null;) {
        const page: z.infer<typeof listAnswer> = listAnswer.parse(
          await call(
            'GET',
            `/payments?${new URLSearchParams({ from: from.toISOString(), to: to.toISOString(), ...(after !== '' && { after }) })}`,
          ),
        );
        for (const payment of page.payments)
          if (payment.state === 'pending' || payment.state === 'succeeded')
            yield toListed(payment, payment.state);
        after = page.next;
      }
    },
    async listEvents(paymentId: string): Promise<PaymentHistory> {
      const payment = await read(paymentId);
      const at = new Date(payment.created);
      const { subscription } = payment;
      const renewed: PaymentEvent[] =
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
          ...renewed,
          { kind: 'payment', paymentId },
          ...eventsOfPayment(payment, new Date(now())),
          ...(subscription === null ? [] : await readSubscription(subscription, payment.id, at)),
        ],
      };
    },
    async check(): Promise<readonly Finding[]> {
      const { status } = await fetch(`${base}/payments?reference=check`, {
        headers: { Authorization: `Bearer ${secretKey}` },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      });
      return [
        status === 200
          ? ok(
              'sandbox',
              `answers, and takes the key; no money moves${webhookSecret === undefined ? '; no webhook is believed' : ''}`,
            )
          : wrong(
              'sandbox',
              status === 401
                ? 'refuses the key; put the secret key that donation-form sandbox prints where secretKey points to'
                : `answered ${status}, expected 200; check its baseUrl`,
            ),
      ];
    },
  };
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
    state: stateOf(payment),
    ...(url && { action: { kind: 'redirect', url } }),
  };
}

function stateOf({ state, page, declineCode }: SandboxPayment): Payment['state'] {
  if (state === 'open' && page !== null) return 'action';
  return state === 'declined' && declineCode === 'authentication-refused' ? 'canceled' : state;
}

function toListed(
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
  }: z.infer<typeof listAnswer>['payments'][number],
  state: ListedPayment['state'],
): ListedPayment {
  const inWords = (sum: number): string =>
    `${sum < 0 ? '-' : ''}${majorUnits(Math.abs(sum), decimalsOf(currency) ?? 2)}`;
  return {
    paymentId: id,
    ...(renewalOf === null && { reference }),
    at: new Date(created),
    state,
    total: amount,
    currency,
    ...(state === 'succeeded' && { cost: { fee: inWords(fee), net: inWords(net), currency } }),
    refunded: refunds.reduce((sum, refund) => sum + refund.amount, 0),
    dispute: dispute?.state,
  };
}

/** What came after a payment: refunds, and how its dispute went. */
function eventsOfPayment(
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
            kind: `dispute-${step}`,
            id: `dispute-${step} ${dispute.id}`,
            paymentId,
            amount,
            at,
          }),
        )
      : []),
  ];
}

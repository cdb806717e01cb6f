import { setTimeout } from 'node:timers/promises';
import { Hono, type Context } from 'hono';
import {
  parseJsonBody,
  parseTimestamp,
  parseString,
  createRequestError,
  assertKnownNames,
} from '../lib/request-parsing.ts';
import { parseReturnUrl, parsePaymentRequest } from './parse-payment-request.ts';
import type { Payment, Subscription } from './records.ts';
import type { ProcessorContext } from './context.ts';
import { getProcessorUrl, toPaymentView, toSubscriptionView } from './views.ts';

export interface ServerApiOptions extends ProcessorContext {
  /** Delay of the slow test card, in milliseconds. */
  readonly slowCardDelay: number;
}

/** Payments per page of a list. */
const PAGE_SIZE = 100;

/** Creates the API for servers: payments and subscriptions. */
export function createServerApi({
  ledger,
  payments,
  subscriptions,
  runTransaction,
  now,
  slowCardDelay,
}: ServerApiOptions): Hono {
  const app = new Hono();
  const toView = (c: Context, payment: Payment): object =>
    toPaymentView(payment, getProcessorUrl(c));
  const getPayment = (c: Context): Payment =>
    assertFound(c, ledger.findPayment(c.req.param('id') ?? ''), 'payment');
  const respondWithConflict = (c: Context, message: string, payment: Payment): Response =>
    c.json({ message, payment: toView(c, payment) }, 409);

  const listPeriod = (c: Context, period: Readonly<Record<string, string>>): object => {
    assertKnownNames('parameter', Object.keys(period), ['from', 'to', 'after']);
    const [from, to] = (['from', 'to'] as const).map((name) => parseTimestamp(name, period[name]));
    const payments = ledger.listPaymentsBetween(from!, to!, period.after ?? '', PAGE_SIZE);
    return {
      payments: payments.map((payment) => ({ ...toView(c, payment), ...calculateFee(payment) })),
      next: payments.length < PAGE_SIZE ? null : payments.at(-1)!.id,
    };
  };

  app.post('/payments', async (c) => {
    const key = c.req.header('Idempotency-Key') ?? '';
    if (key === '' || key.length > 255)
      throw createRequestError(
        'The header Idempotency-Key is required, with at most 255 characters.',
      );
    const request = await c.req.text();
    const previous = ledger.findIdempotentResponse(key);
    if (previous && previous.request !== request)
      throw createRequestError(
        'This Idempotency-Key was already used with a different request.',
        409,
      );
    if (previous) return respondWithJson(c, previous.response);
    const paymentRequest = parsePaymentRequest(request);
    return respondWithJson(
      c,
      runTransaction(() => {
        const response = JSON.stringify(toView(c, payments.create(paymentRequest)));
        ledger.insertIdempotentResponse(key, request, response);
        return response;
      }),
    );
  });

  app.get('/payments', (c) => {
    const { reference = '', ...period } = c.req.query();
    if (period.from !== undefined) return c.json(listPeriod(c, period));
    if (reference === '')
      throw createRequestError('reference is missing; expected ?reference=… or ?from=…&to=….');
    return c.json({
      payments: ledger.findPaymentsByReference(reference).map((payment) => toView(c, payment)),
    });
  });

  app.get('/payments/:id', (c) => c.json(toView(c, getPayment(c))));

  app.post('/payments/:id/confirm', async (c) => {
    const body = await parseJsonBody(c);
    assertKnownNames('confirmation field', Object.keys(body), ['token', 'returnUrl']);
    const token = parseString(body, 'token');
    const returnUrl = parseReturnUrl(body);
    if (ledger.findTokenSource(token)?.behavior === 'slow') await setTimeout(slowCardDelay);
    const payment = getPayment(c);
    if (payment.state !== 'open')
      return respondWithConflict(
        c,
        `This payment is ${payment.state}; only an open payment can be confirmed.`,
        payment,
      );
    const confirmed = runTransaction(() => {
      const source = ledger.consumeToken(token);
      if (!source) throw createRequestError('This token is unknown or already used.');
      return payments.confirm(payment, source, returnUrl ?? payment.returnUrl);
    });
    const response = JSON.stringify(toView(c, confirmed));
    return respondWithJson(
      c,
      confirmed.source?.behavior === 'lose-reply' ? response.slice(0, 10) : response,
    );
  });

  app.post('/payments/:id/cancel', (c) => {
    const payment = getPayment(c);
    if (payment.state !== 'open' && payment.state !== 'action')
      return respondWithConflict(
        c,
        `This payment is ${payment.state}; only a payment in the state open or action can be canceled.`,
        payment,
      );
    return c.json(
      toView(
        c,
        runTransaction(() => payments.cancel(payment)),
      ),
    );
  });

  const getSubscription = (c: Context): Subscription =>
    assertFound(c, ledger.findSubscription(c.req.param('id') ?? ''), 'subscription');
  const toSubscriptionResponse = (subscription: Subscription): object =>
    toSubscriptionView(subscription, ledger.listSubscriptionPayments(subscription.id));
  app.get('/subscriptions/:id', (c) => c.json(toSubscriptionResponse(getSubscription(c))));
  app.post('/subscriptions/:id/cancel', (c) =>
    c.json(
      toSubscriptionResponse(
        runTransaction(() => subscriptions.cancelSubscription(getSubscription(c), now())),
      ),
    ),
  );

  return app;
}

/**
 * Returns the processor's fee of a succeeded payment, 2.9% plus 30 minor units, and the net amount.
 */
function calculateFee({ state, amount }: Payment): { readonly fee: number; readonly net: number } {
  const fee = state === 'succeeded' ? Math.round(amount * 0.029) + 30 : 0;
  return { fee, net: state === 'succeeded' ? amount - fee : 0 };
}

function assertFound<Kind>(c: Context, record: Kind | undefined, kind: string): Kind {
  if (record === undefined)
    throw createRequestError(`The ${kind} ${c.req.param('id')} does not exist.`, 404);
  return record;
}

function respondWithJson(c: Context, json: string): Response {
  return c.body(json, 200, { 'Content-Type': 'application/json' });
}

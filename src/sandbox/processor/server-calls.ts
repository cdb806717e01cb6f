import { setTimeout } from 'node:timers/promises';
import { Hono, type Context } from 'hono';
import { readBody, readMoment, readText, refusal, refuseUnknown } from '../lib/request-parsing.ts';
import { readReturnUrl, readTerms } from './reading.ts';
import type { Payment, Subscription } from './records.ts';
import type { Till } from './till.ts';
import { baseOf, paymentView, subscriptionView } from './views.ts';

export interface ServerCallsOptions extends Till {
  /** How long the slow card takes, in milliseconds. */
  readonly slowCardTime: number;
}

/** How many payments a list answers at once. */
const LIST_PAGE = 100;

/** The calls that a server makes: payments and subscriptions. */
export function serverCalls({
  ledger,
  payments,
  subscriptions,
  change,
  now,
  slowCardTime,
}: ServerCallsOptions): Hono {
  const app = new Hono();
  const view = (c: Context, payment: Payment): object => paymentView(payment, baseOf(c));
  const paymentOf = (c: Context): Payment =>
    found(c, ledger.payment(c.req.param('id') ?? ''), 'payment');
  const wrongState = (c: Context, message: string, payment: Payment): Response =>
    c.json({ message, payment: view(c, payment) }, 409);

  const listed = (c: Context, period: Readonly<Record<string, string>>): object => {
    refuseUnknown('parameter of this list', Object.keys(period), ['from', 'to', 'after']);
    const [from, to] = (['from', 'to'] as const).map((name) => readMoment(name, period[name]));
    const payments = ledger.paymentsBetween(from!, to!, period.after ?? '', LIST_PAGE);
    return {
      payments: payments.map((payment) => ({ ...view(c, payment), ...costOf(payment) })),
      next: payments.length < LIST_PAGE ? null : payments.at(-1)!.id,
    };
  };

  app.post('/payments', async (c) => {
    const key = c.req.header('Idempotency-Key') ?? '';
    if (key === '' || key.length > 255)
      throw refusal('An Idempotency-Key of 255 characters at most is required.');
    const request = await c.req.text();
    const before = ledger.answerTo(key);
    if (before && before.request !== request)
      throw refusal('This Idempotency-Key was used with another request.', 409);
    if (before) return answer(c, before.answer);
    const terms = readTerms(request);
    return answer(
      c,
      change(() => {
        const reply = JSON.stringify(view(c, payments.open(terms)));
        ledger.keepAnswer(key, request, reply);
        return reply;
      }),
    );
  });

  app.get('/payments', (c) => {
    const { reference = '', ...period } = c.req.query();
    if (period.from !== undefined) return c.json(listed(c, period));
    if (reference === '')
      throw refusal('reference is missing: GET /processor/payments?reference=…, or ?from=…&to=….');
    return c.json({ payments: ledger.paymentsUnder(reference).map((payment) => view(c, payment)) });
  });

  app.get('/payments/:id', (c) => c.json(view(c, paymentOf(c))));

  app.post('/payments/:id/confirm', async (c) => {
    const body = await readBody(c);
    refuseUnknown('field of a confirmation', Object.keys(body), ['token', 'returnUrl']);
    const token = readText(body, 'token');
    const returnUrl = readReturnUrl(body);
    if (ledger.sourceOf(token)?.behaviour === 'slow') await setTimeout(slowCardTime);
    const payment = paymentOf(c);
    if (payment.state !== 'open')
      return wrongState(
        c,
        `This payment is ${payment.state}; only an open one can be confirmed.`,
        payment,
      );
    const confirmed = change(() => {
      const source = ledger.takeToken(token);
      if (!source) throw refusal('This token is unknown or was used already.');
      return payments.confirm(payment, source, returnUrl ?? payment.returnUrl);
    });
    const reply = JSON.stringify(view(c, confirmed));
    return answer(c, confirmed.source?.behaviour === 'lose-reply' ? reply.slice(0, 10) : reply);
  });

  app.post('/payments/:id/cancel', (c) => {
    const payment = paymentOf(c);
    if (payment.state !== 'open' && payment.state !== 'action')
      return wrongState(
        c,
        `This payment is ${payment.state}; only an open one, or one that waits for an action, can be canceled.`,
        payment,
      );
    return c.json(
      view(
        c,
        change(() => payments.cancel(payment)),
      ),
    );
  });

  const subscriptionOf = (c: Context): Subscription =>
    found(c, ledger.subscription(c.req.param('id') ?? ''), 'subscription');
  const viewOf = (subscription: Subscription): object =>
    subscriptionView(subscription, ledger.paymentsOf(subscription.id));
  app.get('/subscriptions/:id', (c) => c.json(viewOf(subscriptionOf(c))));
  app.post('/subscriptions/:id/cancel', (c) =>
    c.json(viewOf(change(() => subscriptions.end(subscriptionOf(c), now())))),
  );

  return app;
}

/**
 * What the processor keeps of a payment that succeeded, 2.9 % and 30 minor units, and what it pays
 * out.
 */
function costOf({ state, amount }: Payment): { readonly fee: number; readonly net: number } {
  const fee = state === 'succeeded' ? Math.round(amount * 0.029) + 30 : 0;
  return { fee, net: state === 'succeeded' ? amount - fee : 0 };
}

function found<Kind>(c: Context, record: Kind | undefined, kind: string): Kind {
  if (record === undefined) throw refusal(`There is no ${kind} ${c.req.param('id')}.`, 404);
  return record;
}

function answer(c: Context, json: string): Response {
  return c.body(json, 200, { 'Content-Type': 'application/json' });
}

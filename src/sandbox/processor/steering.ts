import { Hono, type Context } from 'hono';
import {
  isObject,
  refusal,
  refuseUnknown,
  shown,
  type JsonObject,
} from '../lib/request-parsing.ts';
import type { Payment } from './records.ts';
import type { Till } from './till.ts';
import { baseOf, paymentView } from './views.ts';

/** Calls that bring about what only others do to a payment in life: refunds and disputes. */
export function paymentSteering({ ledger, reversals, change }: Till): Hono {
  const app = new Hono();
  const answer = (c: Context, work: (payment: Payment) => Payment): Response => {
    const payment = ledger.payment(c.req.param('id') ?? '');
    if (!payment) throw refusal(`There is no payment ${c.req.param('id')}.`, 404);
    return c.json(
      paymentView(
        change(() => work(payment)),
        baseOf(c),
      ),
    );
  };

  app.post('/:id/refund', async (c) => {
    const { amount, ...others } = await readOptional(c);
    refuseUnknown('field of a refund', Object.keys(others), ['amount']);
    if (amount !== undefined && typeof amount !== 'number')
      throw refusal(
        `amount is ${shown(amount)}; expected a whole number of minor units, or none for all that is left.`,
      );
    return answer(c, (payment) => reversals.refund(payment, amount));
  });
  app.post('/:id/dispute', (c) => answer(c, (payment) => reversals.dispute(payment)));
  app.post('/:id/dispute/won', (c) => answer(c, (payment) => reversals.endDispute(payment, 'won')));
  app.post('/:id/dispute/lost', (c) =>
    answer(c, (payment) => reversals.endDispute(payment, 'lost')),
  );
  return app;
}

/** The JSON object in a body; nothing is an empty one. */
async function readOptional(c: Context): Promise<JsonObject> {
  const text = await c.req.text();
  const body: unknown = text === '' ? {} : await c.req.json().catch(() => undefined);
  if (!isObject(body)) throw refusal('The body must be a JSON object, or nothing.');
  return body;
}

import { Hono, type Context } from 'hono';
import {
  isJsonObject,
  createRequestError,
  assertKnownNames,
  formatForMessage,
  type JsonObject,
} from '../lib/request-parsing.ts';
import type { Payment } from './records.ts';
import type { ProcessorContext } from './context.ts';
import { getProcessorUrl, toPaymentView } from './views.ts';

/**
 * Creates the control calls for events that other parties cause in production: refunds and
 * disputes.
 */
export function createPaymentControls({
  ledger,
  reversals,
  runTransaction,
}: ProcessorContext): Hono {
  const app = new Hono();
  const applyToPayment = (c: Context, apply: (payment: Payment) => Payment): Response => {
    const payment = ledger.findPayment(c.req.param('id') ?? '');
    if (!payment) throw createRequestError(`The payment ${c.req.param('id')} does not exist.`, 404);
    return c.json(
      toPaymentView(
        runTransaction(() => apply(payment)),
        getProcessorUrl(c),
      ),
    );
  };

  app.post('/:id/refund', async (c) => {
    const { amount, ...others } = await parseOptionalJsonBody(c);
    assertKnownNames('refund field', Object.keys(others), ['amount']);
    if (amount !== undefined && typeof amount !== 'number')
      throw createRequestError(
        `amount is ${formatForMessage(amount)}; expected an integer in minor units, or no amount for a full refund.`,
      );
    return applyToPayment(c, (payment) => reversals.refund(payment, amount));
  });
  app.post('/:id/dispute', (c) => applyToPayment(c, (payment) => reversals.openDispute(payment)));
  app.post('/:id/dispute/won', (c) =>
    applyToPayment(c, (payment) => reversals.closeDispute(payment, 'won')),
  );
  app.post('/:id/dispute/lost', (c) =>
    applyToPayment(c, (payment) => reversals.closeDispute(payment, 'lost')),
  );
  return app;
}

/** Parses a JSON object. An empty body is an empty object. */
async function parseOptionalJsonBody(c: Context): Promise<JsonObject> {
  const text = await c.req.text();
  const body: unknown = text === '' ? {} : await c.req.json().catch(() => undefined);
  if (!isJsonObject(body)) throw createRequestError('The body must be empty or a JSON object.');
  return body;
}

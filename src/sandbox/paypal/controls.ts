import { Hono } from 'hono';
import {
  assertKnownNames,
  createRequestError,
  formatForMessage,
  parseOptionalJsonBody,
} from '../lib/request-parsing.ts';
import { ApiError, StateError } from './api-error.ts';
import type { PayPal } from './paypal.ts';

/**
 * Creates the control calls for events that other parties cause in production: refunds, disputes,
 * failed eChecks, and canceled subscriptions. Each call's path contains a capture ID or a
 * subscription ID.
 */
export function createPayPalControls(paypal: PayPal): Hono {
  const app = new Hono();
  const PAYMENT = '/:id{[0-9A-Z]{17}}';

  app.post(`${PAYMENT}/refund`, async (c) => {
    const id = c.req.param('id');
    const { amount: units, ...others } = await parseOptionalJsonBody(c);
    assertKnownNames('refund field', Object.keys(others), ['amount']);
    if (units !== undefined && !Number.isInteger(units))
      throw createRequestError(
        `amount is ${formatForMessage(units)}; expected an integer in minor units, or no amount for a full refund.`,
      );
    return c.json(
      runControlAction(() => {
        const { currency } = paypal.getPayment(id).amount;
        return paypal.createRefund(
          id,
          units === undefined ? undefined : { currency, units: Number(units) },
        );
      }),
    );
  });
  app.post(`${PAYMENT}/dispute`, (c) =>
    c.json(runControlAction(() => paypal.openDispute(c.req.param('id')))),
  );
  for (const outcome of ['won', 'lost'] as const)
    app.post(`${PAYMENT}/dispute/${outcome}`, (c) => {
      const dispute = paypal.listDisputes(c.req.param('id'))[0];
      if (!dispute) throw createRequestError('This payment has no dispute.', 409);
      runControlAction(() => {
        paypal.closeDispute(dispute.id, outcome);
      });
      return c.json(dispute);
    });
  app.post(`${PAYMENT}/fail-debit`, (c) => {
    const id = c.req.param('id');
    runControlAction(() => {
      paypal.declinePending(id);
    });
    return c.json(paypal.getPayment(id));
  });
  app.post('/:id{I-[0-9A-Z]+}/cancel', (c) => {
    const id = c.req.param('id');
    runControlAction(() => {
      paypal.cancelSubscription(id);
    });
    return c.body(null, 204);
  });
  return app;
}

/**
 * Runs a control action.
 * @throws HTTPException if the object's state does not allow the action.
 */
function runControlAction<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof StateError) throw createRequestError(error.message, 409);
    if (error instanceof ApiError)
      throw createRequestError(
        error.details[0]?.description ?? error.message,
        error.status === 404 ? 404 : 409,
      );
    throw error;
  }
}

import { type Context, Hono } from 'hono';
import type { Stripe } from 'stripe';
import {
  assertKnownNames,
  createRequestError,
  formatForMessage,
  parseOptionalJsonBody,
} from '../lib/request-parsing.ts';
import type { StripeEmulator } from './emulator.ts';
import { getReferencedId } from './ids.ts';
import { StripeApiError } from './stripe-error.ts';

/**
 * Creates the control calls for events that other parties cause in production: refunds, disputes,
 * and failed debits.
 */
export function createStripeControls(stripe: StripeEmulator): Hono {
  const app = new Hono();
  const PATH = '/:id{pi_\\w+}';
  const getIntentId = (c: Context): string => c.req.param('id') ?? '';

  app.post(`${PATH}/refund`, async (c) => {
    const { amount, ...others } = await parseOptionalJsonBody(c);
    assertKnownNames('refund field', Object.keys(others), ['amount']);
    if (amount !== undefined && typeof amount !== 'number')
      throw createRequestError(
        `amount is ${formatForMessage(amount)}; expected an integer in minor units, or no amount for a full refund.`,
      );
    return c.json(runControlAction(() => stripe.createRefund(getIntentId(c), amount)));
  });
  app.post(`${PATH}/dispute`, (c) =>
    c.json(runControlAction(() => stripe.openDispute(getIntentId(c)))),
  );
  for (const status of ['won', 'lost'] as const)
    app.post(`${PATH}/dispute/${status}`, (c) =>
      c.json(
        runControlAction(() =>
          stripe.closeDispute(getLatestDisputeId(stripe, getIntentId(c)), status),
        ),
      ),
    );
  app.post(`${PATH}/fail-debit`, (c) =>
    c.json(runControlAction(() => stripe.failDebit(getIntentId(c)))),
  );
  return app;
}

/**
 * Returns the ID of a payment's latest dispute.
 * @throws HTTPException if the payment has no dispute.
 */
export function getLatestDisputeId({ store }: StripeEmulator, intent: string): string {
  const dispute = store.listObjectsByField('dispute', 'payment_intent', intent).at(-1);
  if (!dispute) throw createRequestError('This payment has no dispute.', 409);
  return dispute.id;
}

/** Finds the subscription that a payment pays for. */
export function findSubscription(
  { store }: StripeEmulator,
  intent: string,
): Stripe.Subscription | undefined {
  const [payment] = store.listObjectsByField('invoice_payment', 'payment.payment_intent', intent);
  if (!payment) return undefined;
  const { parent } = store.getObject('invoice', getReferencedId(payment.invoice));
  return store.getObject(
    'subscription',
    getReferencedId(parent?.subscription_details?.subscription),
  );
}

/**
 * Runs a control action.
 * @throws HTTPException if the object's state does not allow the action.
 */
export function runControlAction<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof StripeApiError)
      throw createRequestError(error.message, error.status === 404 ? 404 : 409);
    throw error;
  }
}

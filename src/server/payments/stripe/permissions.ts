import Stripe from 'stripe';
import { type CheckResult, createCheck } from '../../lib/check-result.ts';

/** Stripe rejects the unknown parameter of write calls only after it has checked the permission. */
const CALLS: readonly (readonly [permission: string, method: string, path: string])[] = [
  ['PaymentIntents: Write', 'POST', '/v1/payment_intents'],
  ['Customers: Write', 'POST', '/v1/customers'],
  ['Products: Write', 'POST', '/v1/products'],
  ['Subscriptions: Write', 'POST', '/v1/subscriptions'],
  ['Invoices: Write', 'POST', '/v1/invoices/in_check/void'],
  ['Checkout Sessions: Write', 'POST', '/v1/checkout/sessions'],
  ['Customer portal: Write', 'POST', '/v1/billing_portal/configurations'],
  ['Charges and Refunds: Read', 'GET', '/v1/refunds?limit=1'],
  ['Disputes: Read', 'GET', '/v1/disputes?limit=1'],
  ['Webhook Endpoints: Read', 'GET', '/v1/webhook_endpoints?limit=1'],
];

export async function checkPermissions(stripe: Stripe): Promise<CheckResult> {
  const check = createCheck('stripe permissions');
  const results = await Promise.all(
    CALLS.map(async ([permission, method, path]) =>
      (await isCallPermitted(stripe, method, path)) ? [] : [permission],
    ),
  );
  const missing = results.flat();
  return missing.length === 0
    ? check.pass('The restricted key has all required permissions.')
    : check.fail(
        `The restricted key lacks these permissions: ${missing.join(', ')}. Edit the key in the ` +
          'Stripe Dashboard under Developers > API keys.',
      );
}

const reported = new WeakMap<Stripe, Set<string>>();

/** Returns `undefined` and warns once if the key lacks the permission. @throws any other error. */
export async function ignoreForbidden<Result>(
  stripe: Stripe,
  permission: string,
  call: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
    const permissions = reported.get(stripe) ?? new Set();
    reported.set(stripe, permissions);
    if (!permissions.has(permission))
      process.emitWarning(
        `The restricted Stripe key lacks ${permission}, so some refunds or disputes are not ` +
          'recorded. Edit the key in the Stripe Dashboard under Developers > API keys.',
      );
    permissions.add(permission);
    return undefined;
  }
}

async function isCallPermitted(stripe: Stripe, method: string, path: string): Promise<boolean> {
  try {
    await stripe.rawRequest(method, path, method === 'POST' ? { donation_form_check: '1' } : {});
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return false;
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return true;
    throw error;
  }
}

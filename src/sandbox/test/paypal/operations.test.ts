import assert from 'node:assert/strict';
import {
  createActiveSubscription,
  createCapture,
  createOrderBody,
  createPlan,
  createSubscription,
  PLAN,
} from './payments-support.ts';
import { type Json, test } from './support.ts';

const PERIOD = 'start_time=2020-01-01T00:00:00Z&end_time=2099-01-01T00:00:00Z';
/** Paths that the OpenAPI files lack. */
const OTHER_PATHS = ['/v1/oauth2/token', '/v1/notifications/certs/'];
const REASON = { reason: 'Test' };

/** Calls that succeed, and the same calls with an error. Both are checked by `call`. */
test('every operation matches the OpenAPI files, with a success and with an error', async (fixture) => {
  const { paypal, call, calls } = fixture;
  const capture = await createCapture(fixture);
  const captured = paypal.calls
    .find((name) => name.endsWith('/capture'))!
    .split('/')
    .at(-2);
  const dispute = paypal.openDispute(capture.id);
  const { productId, planId } = await createPlan(fixture);
  const pending = await createSubscription(fixture, planId);
  paypal.approveSubscription(pending.body.id);
  const active = await createActiveSubscription(fixture, {
    payment_preferences: { auto_bill_outstanding: false },
  });
  paypal.failRenewal(active);
  const [sale] = paypal.listCaptures('ABCDE-FGHJK').filter(({ id }) => id !== capture.id);
  const webhook = paypal.addWebhook('http://127.0.0.1:9/a');
  const [event] = paypal.events;
  const signature = {
    auth_algo: 'SHA256withRSA',
    cert_url: 'https://api.paypal.com/v1/notifications/certs/CERT',
    transmission_id: 'b02ef980-9fce-11eb-b0ec-5bc241fbaaf3',
    transmission_sig: 'c2lnbmF0dXJl',
    transmission_time: '2026-01-01T00:00:00Z',
    webhook_id: webhook.id,
    webhook_event: event,
  };
  const order = createOrderBody();
  const approved = await call('POST', '/v2/checkout/orders', { body: order });
  paypal.approveOrder(approved.body.id);
  const outstanding = {
    note: 'Test',
    capture_type: 'OUTSTANDING_BALANCE',
    amount: { currency_code: 'USD', value: '20.00' },
  };
  const plan = { ...PLAN, product_id: productId };
  const newWebhook = { url: 'http://127.0.0.1:9/b', event_types: [{ name: '*' }] };

  const operations: readonly (readonly [call: string, body?: Json, wrong?: Json])[] = [
    ['POST /v2/checkout/orders', order, { intent: 'CAPTURE' }],
    [`GET /v2/checkout/orders/${captured}`],
    [`POST /v2/checkout/orders/${approved.body.id}/capture`, {}],
    [`GET /v2/payments/captures/${capture.id}`],
    [`POST /v2/payments/captures/${capture.id}/refund`, {}],
    [`GET /v2/payments/refunds/${paypal.createRefund(sale!.id).id}`],
    [`GET /v1/payments/sale/${sale!.id}`],
    [`POST /v1/payments/sale/${paypal.renewSubscription(active).id}/refund`, {}],
    [
      'GET /v1/reporting/transactions?start_date=2026-01-01T00:00:00Z&end_date=2026-01-31T00:00:00Z',
    ],
    ['GET /v1/customer/disputes'],
    [`GET /v1/customer/disputes/${dispute.id}`],
    ['POST /v1/catalogs/products', { name: 'Donation', type: 'SERVICE' }, { name: 'Donation' }],
    ['GET /v1/catalogs/products'],
    [`GET /v1/catalogs/products/${productId}`],
    ['POST /v1/billing/plans', plan, { ...plan, billing_cycles: [] }],
    ['GET /v1/billing/plans'],
    [`GET /v1/billing/plans/${planId}`],
    [`POST /v1/billing/plans/${planId}/deactivate`],
    [`POST /v1/billing/plans/${planId}/activate`],
    ['POST /v1/billing/subscriptions', { plan_id: planId }, { custom_id: 'A' }],
    [`GET /v1/billing/subscriptions/${active}`],
    [`POST /v1/billing/subscriptions/${active}/capture`, outstanding],
    [`GET /v1/billing/subscriptions/${active}/transactions?${PERIOD}`],
    [`POST /v1/billing/subscriptions/${pending.body.id}/suspend`, REASON],
    [`POST /v1/billing/subscriptions/${pending.body.id}/activate`, REASON],
    [`POST /v1/billing/subscriptions/${pending.body.id}/cancel`, REASON],
    ['POST /v1/notifications/webhooks', newWebhook, {}],
    ['GET /v1/notifications/webhooks'],
    [`GET /v1/notifications/webhooks/${webhook.id}`],
    ['POST /v1/notifications/verify-webhook-signature', signature, {}],
    ['GET /v1/notifications/webhooks-events'],
    [`GET /v1/notifications/webhooks-events/${event!.id}`],
    [`POST /v1/notifications/webhooks-events/${event!.id}/resend`, {}],
    [`DELETE /v1/notifications/webhooks/${webhook.id}`],
  ];
  for (const [name, body, wrong] of operations) {
    const [method = '', path = ''] = name.split(' ');
    const { status } = await call(method, path, { ...(body && { body }) });
    assert.ok(status < 300, `${name} → ${status}`);
    const failed = wrong
      ? await call(method, path, { body: wrong, isWrong: true })
      : await call(method, replaceId(path), { ...(body && { body }) });
    // Lists have no ID that could be unknown, so they fail for another reason.
    const error =
      failed.status < 300
        ? await call(method, path, { headers: { Authorization: 'Bearer unknown' } })
        : failed;
    assert.ok(error.status >= 400, `${name} → ${error.status}`);
  }

  const tested = [...calls.keys()].map((name) => name.replace(/ \d+$/, ''));
  for (const { method, path } of paypal.app.routes) {
    const isOperation =
      method !== 'ALL' &&
      /^\/v\d\//.test(path) &&
      !OTHER_PATHS.some((other) => path.startsWith(other));
    const pattern = new RegExp(`^${method} ${path.replace(/:\w+/g, '\\{\\w+\\}')}$`);
    assert.ok(!isOperation || tested.some((name) => pattern.test(name)), `${method} ${path}`);
  }
  paypal.close();
});

/** Replaces the ID in a path by an unknown one of the same form. */
function replaceId(path: string): string {
  return path.replace(
    /\/((?:[A-Z]+-)?)[0-9A-Z-]{10,}/,
    (_, prefix: string) => `/${prefix}00000000000000000`,
  );
}

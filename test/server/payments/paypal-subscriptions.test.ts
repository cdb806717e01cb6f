import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREDENTIALS } from '../../../src/sandbox/test/paypal/support.ts';
import { NotChargedError } from '../../../src/server/payments/payment-gateway.ts';
import {
  createPayPalGateway,
  type PayPalGatewayOptions,
} from '../../../src/server/payments/paypal/paypal-gateway.ts';
import { waitUntil } from '../../wait-until.ts';
import { startPayPalProvider } from './paypal-provider.ts';
import { type PayPalTestServer, startServerWithPayPal } from './paypal-server.ts';
import { ScriptedPayPal } from './paypal-support.ts';
import { createPaymentRequest } from './test-provider.ts';

const MINUTE = 60_000;

test('activates and charges a subscription once if returns and webhooks overlap', async () => {
  await using server = await startServerWithPayPal();
  const { key, reference } = await server.startApprovedSubscription();
  await Promise.all([
    ...Array.from({ length: 10 }, () => server.confirm(key)),
    server.sendWebhooks('BILLING.SUBSCRIPTION.CREATED'),
  ]);
  await Promise.all([
    server.sendWebhooks('BILLING.SUBSCRIPTION.ACTIVATED'),
    server.sendWebhooks('PAYMENT.SALE.COMPLETED'),
    server.confirm(key),
  ]);
  assert.equal((await server.pollOutcome(key)).status, 'succeeded');
  assert.equal(server.getCaptureCount(reference), 1);
  await waitUntil(async () => (await server.listGifts()).length === 1);
});

/** Lists the kinds of the recorded events of a donation and its renewals, by time. */
async function listEventKinds({ database: { db } }: PayPalTestServer): Promise<string[]> {
  const events = await db.selectFrom('outbox').select('kind').orderBy('happenedAt').execute();
  return events.map(({ kind }) => kind);
}

/** Activates a subscription as a server does that stops before it receives the response. */
const activate = ({ provider }: PayPalTestServer, subscriptionId: string, reason: string) =>
  provider.fixture.call('POST', `/v1/billing/subscriptions/${subscriptionId}/activate`, {
    body: { reason },
  });

for (const [change, type, kind] of [
  ['createRefund', 'PAYMENT.SALE.REFUNDED', 'refund'],
  ['openDispute', 'CUSTOMER.DISPUTE.CREATED', 'dispute_opened'],
] as const) {
  test(`records a ${kind} of a first payment that is not in the database`, async () => {
    await using server = await startServerWithPayPal({ hasBackgroundJobs: false });
    const { reference, subscriptionId } = await server.startApprovedSubscription();
    await activate(server, subscriptionId, 'The donor approved the subscription.');
    server.paypal[change](server.paypal.listCaptures(reference)[0]!.id);
    assert.deepEqual(await server.sendWebhooks(type), [204]);
    assert.deepEqual((await listEventKinds(server)).sort(), ['donation', kind].sort());
  });

  test(`records a ${kind} of a renewal that is not in the database`, async () => {
    await using server = await startServerWithPayPal({ hasBackgroundJobs: false });
    const { key, subscriptionId } = await server.startApprovedSubscription();
    await server.confirm(key);
    const renewal = server.paypal.renewSubscription(subscriptionId);
    server.paypal[change](renewal.id);
    assert.deepEqual(await server.sendWebhooks(type), [204]);
    assert.deepEqual((await listEventKinds(server)).sort(), ['donation', 'renewal', kind].sort());
    const { events } = await server.provider.gateway.listEvents!(renewal.id);
    assert.deepEqual(
      events.map((event) => event.kind),
      ['renewal', 'subscription', kind],
    );
  });
}

test('records each time that a subscription is suspended or reactivated', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal(
    { hasBackgroundJobs: false },
    { now: () => new Date(time) },
  );
  const { key, subscriptionId } = await server.startApprovedSubscription();
  await server.confirm(key);
  for (const reason of ['The donor updated the card.', 'The donor called.']) {
    time += MINUTE;
    server.paypal.suspendSubscription(subscriptionId);
    await server.sendWebhooks('BILLING.SUBSCRIPTION.SUSPENDED');
    time += MINUTE;
    await activate(server, subscriptionId, reason);
    await server.sendWebhooks('BILLING.SUBSCRIPTION.RE-ACTIVATED');
  }
  const changes = ['subscription_suspended', 'subscription_resumed'];
  assert.deepEqual(await listEventKinds(server), ['donation', ...changes, ...changes]);
});

test('cancels a subscription whose first payment, an eCheck, is declined', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const { paypal, provider } = server;
  const { key, reference, subscriptionId } = await server.startApprovedSubscription('echeck');
  assert.equal((await server.confirm(key)).status, 'processing');
  const { id: paymentId } = paypal.listCaptures(reference)[0]!;
  paypal.declinePending(paymentId);
  const path = `/v1/billing/subscriptions/${subscriptionId}`;
  const fetchStatus = async () => (await provider.fixture.call('GET', path)).body.status;
  const { status } = await provider.gateway.retrievePayment({ paymentId, subscriptionId });
  assert.deepEqual([status, await fetchStatus()], ['failed', 'ACTIVE'], 'reading changes nothing');
  await server.sendWebhooks('PAYMENT.SALE.DENIED');
  time += 1;
  assert.equal((await server.pollOutcome(key)).status, 'failed');
  assert.equal(await fetchStatus(), 'CANCELLED');
});

test("searches for payments until the server's time", async () => {
  const ends: (string | null)[] = [];
  const gateway = createPayPalGateway({
    ...CREDENTIALS,
    environment: 'sandbox',
    now: () => Date.parse('2031-05-06T00:00:00Z'),
    fetch: async (input) => {
      const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
      ends.push(...searchParams.getAll('end_time'), ...searchParams.getAll('end_date'));
      return Response.json({
        access_token: 'token',
        expires_in: 32_400,
        ...(pathname.includes('/subscriptions/') && {
          id: 'I-1',
          status: 'ACTIVE',
          create_time: '2031-05-01T00:00:00Z',
          billing_info: { failed_payments_count: 1 },
        }),
      });
    },
  });
  await gateway.retrievePayment({ paymentId: 'I-1', subscriptionId: 'I-1' });
  const from = new Date('2031-05-01T00:00:00Z');
  for await (const payment of gateway.iteratePayments!(from, from)) assert.fail(payment.paymentId);
  assert.deepEqual(ends, ['2031-05-07T00:00:00.000Z', '2031-05-05T23:59:59.999Z']);
});

test('calls PayPal only for a donor who can return to the form', async () => {
  const { fetch, calls } = new ScriptedPayPal();
  const gateway = createPayPalGateway({ ...CREDENTIALS, environment: 'sandbox', fetch });
  const request = createPaymentRequest({ frequency: 'monthly', returnUrl: undefined });
  await assert.rejects(gateway.createPayment(request), NotChargedError);
  assert.deepEqual(calls, []);
});

test('ignores transactions with an unknown status', async () => {
  const price = { currency_code: 'USD', value: '51.81' };
  const at = '2031-05-01T00:00:00Z';
  const { fetch } = new ScriptedPayPal(
    [
      200,
      {
        id: 'I-1',
        status: 'ACTIVE',
        create_time: at,
        plan: { billing_cycles: [{ pricing_scheme: { fixed_price: price } }] },
      },
    ],
    [
      200,
      {
        transactions: [
          {
            id: 'T-1',
            status: 'UNKNOWN',
            amount_with_breakdown: { gross_amount: price },
            time: at,
          },
        ],
      },
    ],
  );
  const gateway = createPayPalGateway({ ...CREDENTIALS, environment: 'sandbox', fetch });
  const ids = { paymentId: 'I-1', subscriptionId: 'I-1' };
  assert.deepEqual(await gateway.retrievePayment(ids), {
    ...ids,
    total: 5_181,
    currency: 'USD',
    status: 'processing',
  });
});

test("links donors to the automatic payments on PayPal's website, or in the configured emulation", async () => {
  const getPortalUrl = (
    options: Pick<PayPalGatewayOptions, 'environment' | 'apiUrl'>,
  ): Promise<string> => createPayPalGateway({ ...CREDENTIALS, ...options }).getPortalUrl!();
  for (const [options, url] of [
    [{ environment: 'live' }, 'https://www.paypal.com/myaccount/autopay'],
    [{ environment: 'sandbox' }, 'https://www.sandbox.paypal.com/myaccount/autopay'],
    [
      { environment: 'sandbox', apiUrl: 'http://127.0.0.1:4102/paypal/' },
      'http://127.0.0.1:4102/paypal/myaccount/autopay',
    ],
  ] as const)
    assert.equal(await getPortalUrl(options), url);
});

test('charges monthly donations with one product and a plan for each currency, also after a restart', async () => {
  await using provider = await startPayPalProvider();
  const { paypal } = provider.fixture;
  await Promise.all(
    ['A', 'B', 'C', 'D', 'E'].map((reference) =>
      provider.gateway.createPayment(createPaymentRequest({ reference, frequency: 'monthly' })),
    ),
  );
  for (const [gateway, currency] of [
    [provider.gateway, 'USD'],
    [provider.gateway, 'EUR'],
    [provider.createGateway(), 'GBP'],
    [provider.createGateway(), 'EUR'],
  ] as const) {
    const reference = `${currency} ${paypal.events.length}`;
    const request = createPaymentRequest({ reference, currency, frequency: 'monthly' });
    const created = await gateway.createPayment(request);
    paypal.approveSubscription(created.subscriptionId!);
    await gateway.chargePayment(created, request);
    assert.deepEqual(
      paypal.listCaptures(reference).map(({ amount }) => amount),
      [{ currency, units: 5_181 }],
    );
  }
  for (const [type, count] of [
    ['CATALOG.PRODUCT.CREATED', 1],
    ['BILLING.PLAN.CREATED', 3],
    ['BILLING.SUBSCRIPTION.CREATED', 9],
  ] as const)
    assert.equal(paypal.events.filter((event) => event.event_type === type).length, count, type);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../wait-until.ts';
import { createIdempotencyKey, readOutcome } from '../support.ts';
import {
  createPayPalGateway,
  type PayPalGatewayOptions,
} from '../../../src/server/payments/paypal/paypal-gateway.ts';
import { CREDENTIALS } from '../../../src/sandbox/test/paypal/support.ts';
import { NotChargedError } from '../../../src/server/payments/payment-gateway.ts';
import { startPayPalProvider } from './paypal-provider.ts';
import { createPaymentRequest, ScriptedPayPal } from './paypal-support.ts';
import {
  getSubscriptionId,
  startServerWithPayPal,
  type PayPalTestServer,
} from './paypal-server.ts';

const MINUTE = 60_000;

/** Submits a monthly donation that the donor then approves. */
async function donateMonthly(
  server: PayPalTestServer,
  funding: 'balance' | 'echeck' = 'balance',
): Promise<{
  readonly key: string;
  readonly reference: string;
  readonly subscriptionId: string;
}> {
  const key = createIdempotencyKey();
  const { reference } = await server.donate(key, { frequency: 'monthly' });
  const subscriptionId = getSubscriptionId(server);
  server.paypal.approveSubscription(subscriptionId, { funding });
  return { key, reference, subscriptionId };
}

test('activates and charges a subscription once if returns and webhooks overlap', async () => {
  await using server = await startServerWithPayPal();
  const { key, reference } = await donateMonthly(server);
  await Promise.all([
    ...Array.from({ length: 10 }, () => server.confirm(key)),
    server.sendWebhooks('BILLING.SUBSCRIPTION.CREATED'),
  ]);
  await Promise.all([
    server.sendWebhooks('BILLING.SUBSCRIPTION.ACTIVATED'),
    server.sendWebhooks('PAYMENT.SALE.COMPLETED'),
    server.confirm(key),
  ]);
  assert.equal((await readOutcome(await server.fetchOutcome(key))).status, 'succeeded');
  assert.equal(server.getCaptureCount(reference), 1);
  await waitUntil(async () => (await server.listGifts()).length === 1);
});

/** Lists the kinds of the recorded events of a donation and its renewals, sorted. */
async function listEventKinds({ database }: PayPalTestServer): Promise<string[]> {
  const events = await database.db.selectFrom('outbox').select('kind').execute();
  return events.map(({ kind }) => kind).sort();
}

for (const [change, type, kind] of [
  ['refund', 'PAYMENT.SALE.REFUNDED', 'refund'],
  ['dispute', 'CUSTOMER.DISPUTE.CREATED', 'dispute_opened'],
] as const) {
  test(`records a ${change} of a first payment that is not in the database`, async () => {
    await using server = await startServerWithPayPal({
      hasBackgroundJobs: false,
    });
    const { paypal, provider } = server;
    const { reference, subscriptionId } = await donateMonthly(server);
    // The server stops before it receives the response.
    await provider.fixture.call('POST', `/v1/billing/subscriptions/${subscriptionId}/activate`, {
      body: { reason: 'The donor approved the subscription.' },
    });
    const [sale] = paypal.listCaptures(reference);
    if (change === 'refund') paypal.createRefund(sale!.id);
    else paypal.openDispute(sale!.id);
    assert.deepEqual(await server.sendWebhooks(type), [204]);
    assert.deepEqual(await listEventKinds(server), ['donation', kind].sort());
  });

  test(`records a ${change} of a renewal that is not in the database`, async () => {
    await using server = await startServerWithPayPal({
      hasBackgroundJobs: false,
    });
    const { paypal, provider } = server;
    const { key, reference, subscriptionId } = await donateMonthly(server);
    await server.confirm(key);
    paypal.renewSubscription(subscriptionId);
    const [, renewal] = paypal.listCaptures(reference);
    if (change === 'refund') paypal.createRefund(renewal!.id);
    else paypal.openDispute(renewal!.id);
    assert.deepEqual(await server.sendWebhooks(type), [204]);
    assert.deepEqual(await listEventKinds(server), ['donation', 'renewal', kind].sort());
    const { events } = await provider.gateway.listEvents!(renewal!.id);
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
  const { paypal, provider, database } = server;
  const { key, subscriptionId } = await donateMonthly(server);
  await server.confirm(key);
  for (const reason of ['The donor updated the card.', 'The donor called.']) {
    time += MINUTE;
    paypal.suspendSubscription(subscriptionId);
    await server.sendWebhooks('BILLING.SUBSCRIPTION.SUSPENDED');
    time += MINUTE;
    await provider.fixture.call('POST', `/v1/billing/subscriptions/${subscriptionId}/activate`, {
      body: { reason },
    });
    await server.sendWebhooks('BILLING.SUBSCRIPTION.RE-ACTIVATED');
  }
  const events = await database.db
    .selectFrom('outbox')
    .select('kind')
    .orderBy('happenedAt')
    .execute();
  assert.deepEqual(
    events.map(({ kind }) => kind),
    [
      'donation',
      'subscription_suspended',
      'subscription_resumed',
      'subscription_suspended',
      'subscription_resumed',
    ],
  );
});

test('cancels a subscription whose first payment, an eCheck, is declined', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const { paypal, provider } = server;
  const { key, reference, subscriptionId } = await donateMonthly(server, 'echeck');
  assert.equal((await server.confirm(key)).status, 'processing');
  const { id: paymentId } = paypal.listCaptures(reference)[0]!;
  paypal.declinePending(paymentId);
  const path = `/v1/billing/subscriptions/${subscriptionId}`;
  const fetchStatus = async () => (await provider.fixture.call('GET', path)).body.status;
  const { status } = await provider.gateway.retrievePayment({ paymentId, subscriptionId });
  assert.deepEqual([status, await fetchStatus()], ['failed', 'ACTIVE'], 'reading changes nothing');
  await server.sendWebhooks('PAYMENT.SALE.DENIED');
  time += 1;
  assert.equal((await readOutcome(await server.fetchOutcome(key))).status, 'failed');
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

test('charges monthly donations in two currencies, also after a restart', async () => {
  await using provider = await startPayPalProvider();
  const { paypal } = provider.fixture;
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
  assert.equal(paypal.calls.filter((call) => call === 'POST /v1/billing/plans').length, 3);
});

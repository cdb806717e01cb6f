import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Stripe } from 'stripe';
import type { PaymentConfiguration } from '../../../src/core/schemas/payment-configuration.ts';
import {
  InvalidPayloadError,
  type PaymentEvent,
  PaymentNotFoundError,
} from '../../../src/server/payments/payment-gateway.ts';
import { getPayableDecimals } from '../../../src/server/payments/payment-providers.ts';
import { fromStripeUnits, getMinimumCharge } from '../../../src/server/payments/stripe/amounts.ts';
import { toPayment } from '../../../src/server/payments/stripe/payment.ts';
import { createStripeGateway } from '../../../src/server/payments/stripe/stripe-gateway.ts';
import { fetchStripeReversals } from '../../../src/server/payments/stripe/webhook.ts';
import { BANKS, CARDS, type FakeStripe, startFakeStripe } from '../../fake-stripe.ts';
import { testGateway } from './contract.ts';
import { chargePayment, collectWebhooks, createGateway, REQUEST } from './stripe-support.ts';
import type { TestPaymentMethod, TestProvider } from './test-provider.ts';

const TEST_CARDS: Readonly<Record<TestPaymentMethod, string>> = {
  good: CARDS.good,
  declined: CARDS.declined,
  'insufficient funds': CARDS.insufficientFunds,
  expired: CARDS.expired,
  asks: CARDS.authenticated,
  'fails when renewed': CARDS.good,
  'bank debit': BANKS.ach,
  'failing bank debit': BANKS.achFailing,
};

testGateway('stripe, against the fake', {}, async (): Promise<TestProvider> => {
  const fakeStripe = await startFakeStripe();
  const disputes = new Map<string, string>();
  let failsWhenRenewed = false;
  return {
    gateway: createGateway(fakeStripe),
    async createToken(method, frequency = 'once') {
      failsWhenRenewed = method === 'fails when renewed';
      const isRecurring = frequency !== 'once';
      return fakeStripe.createConfirmationToken(TEST_CARDS[method], { isRecurring });
    },
    listCharges: async (reference) =>
      fakeStripe
        .listCharges(reference)
        .map(({ amount, currency }) => fromStripeUnits(amount, currency).total),
    returnUrl: 'https://lanternwell.example/give',
    authenticate: async ({ paymentId }, agrees) =>
      fakeStripe.completeAuthentication(paymentId, agrees),
    payOnPage: (page) =>
      fetch(page, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ number: CARDS.good, expiry: '12 / 34', cvc: '123' }),
      }),
    settle: async ({ paymentId }) => fakeStripe.settleDebit(paymentId),
    async renew({ subscriptionId }) {
      if (failsWhenRenewed) fakeStripe.changeCard(subscriptionId!, CARDS.declinedWhenCharged);
      fakeStripe.renewSubscription(subscriptionId!);
    },
    cancelSubscription: async ({ subscriptionId }) =>
      fakeStripe.cancelSubscription(subscriptionId!),
    refund: async ({ paymentId }, amount) => fakeStripe.createRefund(paymentId, amount),
    dispute: async ({ paymentId }) => disputes.set(paymentId, fakeStripe.openDispute(paymentId).id),
    closeDispute: async ({ paymentId }, end) =>
      fakeStripe.closeDispute(disputes.get(paymentId)!, end),
    listWebhooks: () => collectWebhooks(fakeStripe),
    signWebhook: (body, time) => sign(fakeStripe, body, time),
    [Symbol.asyncDispose]: () => fakeStripe.close(),
  };
});

const STRIPE_CONFIGURATION = {
  provider: 'stripe',
  publicKey: 'pk_test_1',
  secretKey: { env: 'K' },
  methods: ['card'],
  methodOrder: 'automatic',
  wallets: true,
} as const satisfies PaymentConfiguration;

for (const [currency, decimals, total, atStripe] of [
  ['JPY', 0, 5_000, 5_000],
  ['USD', 2, 5_181, 5_181],
  ['KWD', 2, 1_234, 12_340],
  ['ISK', 0, 5_000, 500_000],
  ['UGX', 0, 5_000, 500_000],
  ['MGA', 0, 5_000, 5_000],
  ['HUF', 0, 5_000, 500_000],
  ['TWD', 0, 5_000, 500_000],
] as const) {
  test(`converts ${total} of ${currency}, with ${decimals} decimals, to ${atStripe} for Stripe and back`, async () => {
    await using fakeStripe = await startFakeStripe();
    const gateway = createGateway(fakeStripe);
    assert.equal(getPayableDecimals([STRIPE_CONFIGURATION], currency), decimals);
    const paid = await chargePayment(fakeStripe, gateway, CARDS.good, {
      total,
      currency,
      donor: { name: 'Ana Souza', email: undefined },
    });
    const charges = fakeStripe.listCharges(REQUEST.reference).map(({ amount }) => amount);
    assert.deepEqual(
      [paid.status, paid.total, paid.currency, charges],
      ['succeeded', total, currency, [atStripe]],
    );
  });
}

for (const currency of ['HUF', 'TWD', 'ISK'])
  test(`reports refunds, disputes, and renewals of fractions of a unit of ${currency}`, async () => {
    await using fake = await startFakeStripe();
    const gateway = createGateway(fake);
    const first = await chargePayment(fake, gateway, CARDS.good, {
      currency,
      total: 5_000,
      frequency: 'monthly',
    });
    fake.createRefund(first.paymentId, 123_450);
    fake.createRefund(first.paymentId, 10);
    fake.openDispute(first.paymentId, 50_025);
    fake.changeSubscriptionAmount(first.subscriptionId!, 512_345);
    fake.renewSubscription(first.subscriptionId!);
    const events = new Map<string, unknown>();
    for (const { body, headers } of await collectWebhooks(fake))
      for (const event of await gateway.verifyAndFetchEvents!(body, headers)) {
        if ('amount' in event) events.set(`${event.id.split('_')[0]} ${event.amount}`, event);
        if (event.kind === 'renewal') events.set(`renewal ${event.payment.total}`, event);
      }
    assert.deepEqual([...events.keys()].sort(), [
      'dispute 500.25',
      'refund re 0.1',
      'refund re 1234.5',
      'renewal 5123.45',
    ]);
    const end = new Date(Date.now() + 86_400_000 * 60);
    const listed = await Array.fromAsync(
      gateway.iteratePayments!(new Date(0), end),
      ({ total, refunded }) => [total, refunded],
    );
    assert.deepEqual(
      listed.sort(([one], [other]) => one! - other!),
      [
        [5_000, 1_234.6],
        [5_123.45, 0],
      ],
    );
  });

test("requests Stripe's receipt only if the processor sends receipts", async () => {
  await using fakeStripe = await startFakeStripe();
  const gateway = createGateway(fakeStripe);
  for (const receiptSender of ['processor', 'none'] as const)
    await gateway.createPayment({ ...REQUEST, reference: receiptSender, receiptSender });
  assert.deepEqual(
    fakeStripe.listPaymentIntents().map((intent) => intent.receipt_email),
    ['ana@example.org', null],
  );
});

test('distinguishes wallets from cards', async () => {
  await using fake = await startFakeStripe();
  assert.equal((await chargePayment(fake, createGateway(fake), CARDS.applePay)).method, 4);
});

const MONTHLY = { frequency: 'monthly' } as const;

for (const [situation, prepare, changes] of [
  ['without a name', () => undefined, { donor: { name: '', email: 'ana@example.org' } }],
  [
    'although a configured payment method is not activated',
    (fake) => fake.deactivatePaymentMethodType('us_bank_account'),
    {},
  ],
  [
    'after the product was archived in the Dashboard',
    async (fake) => {
      await chargePayment(fake, createGateway(fake), CARDS.good, MONTHLY);
      fake.archiveProduct('donation-form-gift');
    },
    { reference: 'ABCDE-FGHJM' },
  ],
] satisfies [string, (fake: FakeStripe) => unknown, object][])
  test(`accepts a monthly donation ${situation}`, async () => {
    await using fake = await startFakeStripe();
    await prepare(fake);
    const request = { ...MONTHLY, ...changes };
    const { status } = await chargePayment(fake, createGateway(fake), CARDS.good, request);
    assert.equal(status, 'succeeded');
  });

test('calls an API whose URL has a path', async () => {
  const calls: string[] = [];
  const api = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":{}}');
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const { port } = api.address() as AddressInfo;
  for (const path of ['/stripe', '/stripe/', '']) {
    const gateway = createStripeGateway({
      secretKey: 'sk_test_1',
      methods: ['card'],
      apiUrl: `http://127.0.0.1:${port}${path}`,
    });
    await assert.rejects(gateway.retrievePayment({ paymentId: 'pi_1' }));
  }
  api.close();
  assert.deepEqual(
    calls.map((call) => call.split('?')[0]),
    [
      'GET /stripe/v1/payment_intents/pi_1',
      'GET /stripe/v1/payment_intents/pi_1',
      'GET /v1/payment_intents/pi_1',
    ],
  );
});

test('reports errors that the donor can correct', async () => {
  await using fake = await startFakeStripe();
  for (const [changes, reason] of [
    [{ ...MONTHLY, donor: { name: 'Ana', email: 'a..b@example.org' } }, 'email-invalid'],
    [{ total: 20 }, 'amount-too-small'],
    [{ total: 100_000_000 }, 'amount-too-large'],
    [{ ...MONTHLY, token: undefined, total: 20 }, 'amount-too-small'],
  ] as const) {
    const request = { ...REQUEST, reference: `ABCDE-${reason}`, ...changes };
    await assert.rejects(createGateway(fake).createPayment(request), {
      name: 'NotChargedError',
      reason,
    });
  }
});

test("charges the displayed amount on the hosted page, in the form's currency and language", async () => {
  await using fake = await startFakeStripe();
  const { paymentId } = await createGateway(fake).createPayment({
    ...REQUEST,
    ...MONTHLY,
    language: 'pt-BR',
    token: undefined,
  });
  const { adaptive_pricing: adaptivePricing, locale } = fake.getCheckoutSession(paymentId);
  assert.deepEqual([adaptivePricing?.enabled, locale], [false, 'pt-BR']);
});

test('requests only instant verification of bank accounts', async () => {
  await using fake = await startFakeStripe();
  await chargePayment(fake, createGateway(fake), CARDS.good);
  assert.equal(
    fake.listPaymentIntents()[0]?.payment_method_options?.us_bank_account?.verification_method,
    'instant',
  );
});

function createClient({ secretKey, url }: FakeStripe): Stripe {
  return new Stripe(secretKey, { host: '127.0.0.1', port: new URL(url).port, protocol: 'http' });
}

/** Signs a webhook as Stripe does. */
async function sign(
  { webhookSecret: secret }: FakeStripe,
  payload: string,
  time = new Date(),
): Promise<Headers> {
  const timestamp = Math.floor(time.getTime() / 1_000);
  const options = { payload, secret, timestamp };
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync(options);
  return new Headers({ 'Stripe-Signature': signature });
}

/** Sends a signed webhook to the gateway, and returns the events that it reports. */
async function receiveWebhook(fake: FakeStripe, event: object): Promise<readonly PaymentEvent[]> {
  const body = JSON.stringify(event);
  return createGateway(fake).verifyAndFetchEvents!(body, await sign(fake, body));
}

test('says how to receive events that it can read instead of thin events', async () => {
  await using fake = await startFakeStripe();
  const event = { id: 'evt_1', object: 'v2.core.event', type: 'v1.charge.refunded' };
  await assert.rejects(
    receiveWebhook(fake, event),
    (error) => error instanceof InvalidPayloadError && error.message.includes('style "Snapshot"'),
  );
});

test('reports a subscription status that returns as another event, and repeats as the same', async () => {
  await using fake = await startFakeStripe();
  const { subscriptionId } = await chargePayment(fake, createGateway(fake), CARDS.good, MONTHLY);
  const ids = [];
  for (const created of [1, 1, 2]) {
    const type = 'customer.subscription.updated';
    const event = { id: 'evt_1', type, created, data: { object: { id: subscriptionId } } };
    const [found] = await receiveWebhook(fake, event);
    ids.push((found as { id: string }).id);
  }
  assert.equal(ids[0], ids[1]);
  assert.notEqual(ids[0], ids[2]);
});

test('reports a dispute in another currency with the whole charge', async () => {
  const dispute = { id: 'du_1', payment_intent: 'pi_1', created: 1, status: 'needs_response' };
  const charge = { currency: 'usd', amount: 5_181 };
  for (const [amount, currency, expected] of [
    [2_000, 'usd', 2_000],
    [7_800, 'jpy', 5_181],
  ] as const) {
    const expanded: string[] = [];
    const listDisputes = async ({ expand = [] as string[] }) => {
      expanded.push(...expand);
      return { data: [{ ...dispute, amount, currency, charge }] };
    };
    const stripe = {
      refunds: { list: async () => ({ data: [] }) },
      disputes: { list: listDisputes },
    } as unknown as Stripe;
    const events = await fetchStripeReversals(stripe, 'pi_1', new Date(0));
    assert.deepEqual(
      [expanded, events.map((event) => 'amount' in event && event.amount)],
      [['data.charge'], [expected]],
    );
  }
});

test('retrieves a declined payment without changing it, and cancels it when told to', async () => {
  await using fake = await startFakeStripe();
  const gateway = createGateway(fake);
  const payment = await gateway.createPayment(REQUEST);
  const fetchStatus = async () =>
    (await createClient(fake).paymentIntents.retrieve(payment.paymentId)).status;
  await createClient(fake)
    .paymentIntents.confirm(payment.paymentId, {
      confirmation_token: fake.createConfirmationToken(CARDS.declined),
    })
    .catch(() => undefined);
  assert.equal((await gateway.retrievePayment(payment)).status, 'failed');
  assert.equal(await fetchStatus(), 'requires_payment_method');
  const { status, reason } = await gateway.cancelPayment(payment);
  assert.deepEqual([status, reason, await fetchStatus()], ['failed', 'card-declined', 'canceled']);
});

test('creates a payment that version 0.1.0 may have created before an upgrade', async () => {
  await using fake = await startFakeStripe();
  const gateway = createGateway(fake);
  const stripe = createClient(fake);
  for (const frequency of ['once', 'monthly'] as const)
    for (const token of ['ctoken_pending', undefined]) {
      const reference = `${frequency} ${token}`;
      for (const idempotencyKey of [reference, `${reference} customer`])
        await stripe.customers.create({ metadata: { reference } }, { idempotencyKey });
      const request = { ...REQUEST, reference, frequency, token };
      const { paymentId } = await gateway.createPayment(request);
      assert.match(paymentId, /^(pi|cs)_/, reference);
    }
});

test('labels the payment of a renewal with the reference', async () => {
  await using fake = await startFakeStripe();
  const gateway = createGateway(fake);
  const { subscriptionId } = await chargePayment(fake, gateway, CARDS.good, MONTHLY);
  fake.renewSubscription(subscriptionId!);
  for (const { body, headers } of await collectWebhooks(fake))
    await gateway.verifyAndFetchEvents!(body, headers);
  assert.deepEqual(
    fake.listPaymentIntents().map(({ metadata }) => metadata),
    Array(2).fill({ donation_form_reference: REQUEST.reference }),
  );
});

test('reports renewals and payments without refunds and disputes that the key cannot read', async () => {
  await using fake = await startFakeStripe({ secretKey: 'rk_test_fake' });
  const gateway = createGateway(fake);
  const warnings: string[] = [];
  const addWarning = ({ message }: Error): unknown => warnings.push(message);
  process.on('warning', addWarning);
  const { paymentId, subscriptionId } = await chargePayment(fake, gateway, CARDS.good, MONTHLY);
  fake.renewSubscription(subscriptionId!);
  const webhooks = await collectWebhooks(fake);
  fake.openDispute(paymentId);
  fake.forbidCalls(/^GET \/v1\/(refunds|disputes)/);
  const kinds = new Set<string>();
  for (const { body, headers } of webhooks)
    for (const { kind } of await gateway.verifyAndFetchEvents!(body, headers)) kinds.add(kind);
  assert.deepEqual([...kinds].sort(), ['payment', 'renewal', 'subscription']);
  const end = new Date(Date.now() + 86_400_000 * 60);
  for await (const { dispute } of gateway.iteratePayments!(new Date(0), end))
    assert.equal(dispute, undefined);
  assert.equal((await gateway.listEvents!(paymentId)).events[0]?.kind, 'payment');
  process.off('warning', addWarning);
  assert.deepEqual(
    warnings.map((warning) => /lacks (.*?), so/.exec(warning)?.[1]).sort(),
    ['Charges and Refunds: Read', 'Disputes: Read'],
    'each missing permission is named once',
  );
  const dispute = (await collectWebhooks(fake)).find(({ body }) =>
    body.includes('dispute.created'),
  );
  await assert.rejects(
    gateway.verifyAndFetchEvents!(dispute!.body, dispute!.headers),
    Stripe.errors.StripePermissionError,
    'the dispute itself cannot be read',
  );
});

test('ignores signed refunds of charges without a payment intent', async () => {
  await using fake = await startFakeStripe();
  for (const type of ['refund.created', 'charge.refunded', 'charge.dispute.created'])
    for (const fields of [{}, { payment_intent: null }]) {
      const object = { id: 'du_1', status: 'lost', ...fields };
      const events = receiveWebhook(fake, { id: 'evt_1', type, created: 1, data: { object } });
      if (type === 'charge.dispute.created') await assert.rejects(events, PaymentNotFoundError);
      else assert.deepEqual(await events, [], type);
    }
});

test('writes only to our own payments, and nothing when it lists events', async () => {
  await using fake = await startFakeStripe();
  const gateway = createGateway(fake);
  const stripe = createClient(fake);
  const { paymentId: ours } = await chargePayment(fake, gateway, CARDS.good, MONTHLY);
  const { id: tickets } = await stripe.products.create({ name: 'Tickets' });
  const payBySubscription = async (product: string): Promise<string> => {
    const customer = await stripe.customers.create({});
    const price = { currency: 'usd', product, unit_amount: 5_000 };
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      metadata: { reference: '7K4M9-QXD2P' },
      payment_behavior: 'default_incomplete',
      items: [{ price_data: { ...price, recurring: { interval: 'month' } } }],
      expand: ['latest_invoice.payments'],
    });
    const { payments } = subscription.latest_invoice as Stripe.Invoice;
    const paymentId = payments!.data[0]!.payment.payment_intent as string;
    await stripe.paymentIntents.confirm(paymentId, {
      confirmation_token: fake.createConfirmationToken(CARDS.good),
    });
    return paymentId;
  };
  const foreign = await payBySubscription(tickets);
  const earlier = await payBySubscription('donation-form-gift');
  const listUpdates = (): string[] =>
    fake.calls.filter((call) => /^POST \/v1\/payment_intents\/\w+$/.test(call));
  const references = [];
  for (const paymentId of [ours, foreign, earlier])
    references.push((await gateway.listEvents!(paymentId)).reference);
  assert.deepEqual(references, [REQUEST.reference, undefined, '7K4M9-QXD2P']);
  assert.deepEqual(listUpdates(), []);
  for (const { body, headers } of await collectWebhooks(fake))
    await gateway.verifyAndFetchEvents!(body, headers);
  assert.deepEqual(
    [...new Set(listUpdates())],
    [ours, earlier].map((id) => `POST /v1/payment_intents/${id}`),
  );
  const { metadata } = await stripe.paymentIntents.retrieve(earlier);
  assert.equal(metadata.donation_form_reference, '7K4M9-QXD2P');
});

test('reads the reference that version 0.1.0 stored only for comparison, unless it is in the description', async () => {
  await using fake = await startFakeStripe();
  const gateway = createGateway(fake);
  const stripe = createClient(fake);
  const histories = [];
  for (const description of ['Lanternwell 7K4M9-QXD2P', 'Tickets', undefined]) {
    const { id } = await stripe.paymentIntents.create({
      amount: 5_000,
      currency: 'usd',
      metadata: { reference: '7K4M9-QXD2P' },
      ...(description !== undefined && { description }),
    });
    await stripe.paymentIntents.confirm(id, {
      confirmation_token: fake.createConfirmationToken(CARDS.good),
    });
    histories.push(await gateway.listEvents!(id));
  }
  const end = new Date(Date.now() + 60_000);
  const listed = await Array.fromAsync(
    gateway.iteratePayments!(new Date(0), end),
    ({ reference }) => reference,
  );
  assert.deepEqual(listed, ['7K4M9-QXD2P', '7K4M9-QXD2P', '7K4M9-QXD2P']);
  assert.deepEqual(
    histories.map(({ reference }) => reference),
    ['7K4M9-QXD2P', undefined, undefined],
  );
});

const CHECK_SUBJECT = {
  webhookPath: '/webhooks/stripe/lanternwell',
  origins: ['https://lanternwell.example', 'https://www.lanternwell.example'],
  minimums: [
    { form: 'wells', currency: 'USD', minimum: 100 },
    { form: 'wells', currency: 'GBP', minimum: 20 },
  ],
};

test('the check names what the account lacks', async () => {
  await using fake = await startFakeStripe();
  fake.deactivatePaymentMethodType('sepa_debit');
  fake.addPaymentMethodDomain('lanternwell.example');
  const results = await createGateway(fake).runChecks!(CHECK_SUBJECT);
  const failures = results.filter(({ status }) => status === 'fail');
  for (const [name, problem] of [
    ['stripe methods', /: sepa_debit\./],
    ['stripe minimums', /form wells in GBP \(0\.20, expected at least 0\.30\)/],
  ] as const)
    assert.match(failures.find((failure) => failure.name === name)!.message, problem);
});

for (const [secretKey, status] of [
  ['sk_test_fake', 'warning'],
  ['sk_live_fake', 'fail'],
] as const) {
  test(`the check of an unregistered domain with ${secretKey} is a ${status}`, async () => {
    await using fake = await startFakeStripe({ secretKey });
    fake.addPaymentMethodDomain('lanternwell.example');
    const results = await createGateway(fake).runChecks!(CHECK_SUBJECT);
    const domains = results.find(({ name }) => name === 'stripe domains')!;
    assert.equal(domains.status, status);
    assert.match(domains.message, /^These domains are not registered: www\.lanternwell\.example\./);
  });
}

test('the check names the permissions that a restricted key lacks', async () => {
  // Each call has an unknown parameter, so that it changes nothing.
  await using fake = await startFakeStripe({
    secretKey: 'rk_test_fake',
    allowsRejectedRequests: true,
  });
  fake.forbidCalls(/^POST \/v1\/(customers|checkout\/sessions)$|^GET \/v1\/disputes$/);
  const before = fake.calls.length;
  const results = await createGateway(fake).runChecks!(CHECK_SUBJECT);
  const permissions = results.find(({ name }) => name === 'stripe permissions')!;
  assert.equal(permissions.status, 'fail');
  assert.match(
    permissions.message,
    /lacks these permissions: Customers: Write, Checkout Sessions: Write, Disputes: Read\./,
  );
  assert.ok(fake.calls.length > before);
  assert.deepEqual([fake.listPaymentIntents(), fake.events], [[], []], 'nothing was created');
});

test("converts Stripe's minimum charges to the units of donation amounts", () => {
  for (const [currency, minimum] of [
    ['USD', 50],
    ['JPY', 50],
    ['HUF', 175],
    ['XOF', undefined],
  ] as const)
    assert.equal(getMinimumCharge(currency), minimum, currency);
});

test('reports the amount received of a charged payment, and the amount requested of any other', () => {
  for (const [status, total] of [
    ['succeeded', 4_000],
    ['processing', 5_181],
  ] as const) {
    const intent = { id: 'pi_1', status, amount: 5_181, amount_received: 4_000, currency: 'usd' };
    assert.equal(toPayment(intent as Stripe.PaymentIntent).total, total);
  }
});

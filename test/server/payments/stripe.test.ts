import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Stripe } from 'stripe';
import {
  InvalidPayloadError,
  NotChargedError,
  PaymentNotFoundError,
  type Payment,
  type PaymentGateway,
  type PaymentRequest,
} from '../../../src/server/payments/payment-gateway.ts';
import { createStripeGateway } from '../../../src/server/payments/stripe/stripe-gateway.ts';
import { getPayableDecimals } from '../../../src/server/payments/payment-providers.ts';
import { fromStripeUnits, getMinimumCharge } from '../../../src/server/payments/stripe/amounts.ts';
import { toPayment } from '../../../src/server/payments/stripe/payment.ts';
import { fetchReversalEvents } from '../../../src/server/payments/stripe/webhook.ts';
import { BANKS, CARDS, startFakeStripe, type FakeStripe } from '../../fake-stripe.ts';
import { testGateway } from './contract.ts';
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

const METHODS = ['card', 'us_bank_account', 'sepa_debit', 'bacs_debit', 'au_becs_debit'];

export const createGateway = (fakeStripe: FakeStripe) =>
  createStripeGateway({
    secretKey: fakeStripe.secretKey,
    webhookSecret: fakeStripe.webhookSecret,
    methods: METHODS,
    apiUrl: fakeStripe.url,
  });

testGateway('stripe, against the fake', {}, async (): Promise<TestProvider> => {
  const fakeStripe = await startFakeStripe();
  const disputes = new Map<string, string>();
  let failsWhenRenewed = false;
  return {
    gateway: createGateway(fakeStripe),
    createToken(method, frequency = 'once') {
      failsWhenRenewed = method === 'fails when renewed';
      return Promise.resolve(
        fakeStripe.createConfirmationToken(TEST_CARDS[method], {
          isRecurring: frequency !== 'once',
        }),
      );
    },
    listCharges: (reference) =>
      Promise.resolve(
        fakeStripe
          .listCharges(reference)
          .map(({ amount, currency }) => fromStripeUnits(amount, currency).total),
      ),
    returnUrl: 'https://lanternwell.example/give',
    authenticate: ({ paymentId }, agrees) =>
      Promise.resolve(fakeStripe.completeAuthentication(paymentId, agrees)),
    payOnPage: (page) =>
      fetch(page, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ number: CARDS.good, expiry: '12 / 34', cvc: '123' }),
      }),
    settle: ({ paymentId }) => Promise.resolve(fakeStripe.settleDebit(paymentId)),
    renew({ subscriptionId }) {
      if (failsWhenRenewed) fakeStripe.changeCard(subscriptionId!, CARDS.declinedWhenCharged);
      return Promise.resolve(fakeStripe.renewSubscription(subscriptionId!));
    },
    cancelSubscription: ({ subscriptionId }) =>
      Promise.resolve(fakeStripe.cancelSubscription(subscriptionId!)),
    refund: ({ paymentId }, amount) => Promise.resolve(fakeStripe.createRefund(paymentId, amount)),
    dispute: ({ paymentId }) =>
      Promise.resolve(disputes.set(paymentId, fakeStripe.openDispute(paymentId).id)),
    closeDispute: ({ paymentId }, end) =>
      Promise.resolve(fakeStripe.closeDispute(disputes.get(paymentId)!, end)),
    listWebhooks: () => collectWebhooks(fakeStripe),
    signWebhook: async (body, time) =>
      new Headers({
        'Stripe-Signature': await Stripe.webhooks.generateTestHeaderStringAsync({
          payload: body,
          secret: fakeStripe.webhookSecret,
          timestamp: Math.floor(time.getTime() / 1_000),
        }),
      }),
    [Symbol.asyncDispose]: () => fakeStripe.close(),
  };
});

/** Collects the requests that Stripe sends to a webhook endpoint. */
async function collectWebhooks(
  fakeStripe: FakeStripe,
): Promise<{ body: string; headers: Headers }[]> {
  const received: { body: string; headers: Headers }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        received.push({
          body: Buffer.concat(chunks).toString(),
          headers: new Headers(request.headers as Record<string, string>),
        });
        response.end();
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await fakeStripe.deliverEvents(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  return received;
}

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
    const gift: PaymentRequest = {
      reference: 'ABCDE-FGHJK',
      total,
      currency,
      frequency: 'once',
      donor: { name: 'Ana Souza', email: undefined },
      description: 'Lanternwell',
      language: 'en',
      receiptSender: 'none',
      returnUrl: undefined,
      token: fakeStripe.createConfirmationToken(CARDS.good),
    };
    assert.equal(
      getPayableDecimals(
        [
          {
            provider: 'stripe',
            publicKey: 'pk_test_1',
            secretKey: { env: 'K' },
            methods: ['card'],
            methodOrder: 'automatic',
            wallets: true,
          },
        ],
        currency,
      ),
      decimals,
    );
    const paid = await gateway.chargePayment(await gateway.createPayment(gift), gift);
    assert.deepEqual(
      [
        paid.status,
        paid.total,
        paid.currency,
        fakeStripe.listCharges(gift.reference).map(({ amount }) => amount),
      ],
      ['succeeded', total, currency, [atStripe]],
    );
  });
}

for (const currency of ['HUF', 'TWD', 'ISK'])
  test(`reports refunds, disputes, and renewals of fractions of a unit of ${currency}`, async () => {
    await using fake = await startFakeStripe();
    const gateway = createGateway(fake);
    const request = { ...REQUEST, currency, total: 5_000, frequency: 'monthly' as const };
    const token = fake.createConfirmationToken(CARDS.good, { isRecurring: true });
    const paidRequest = { ...request, token };
    const first = await gateway.chargePayment(
      await gateway.createPayment(paidRequest),
      paidRequest,
    );
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
    const listed = [];
    for await (const { total, refunded } of gateway.iteratePayments!(
      new Date(0),
      new Date(Date.now() + 86_400_000 * 60),
    ))
      listed.push([total, refunded]);
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
  const gift: PaymentRequest = {
    reference: 'ABCDE-FGHJK',
    total: 5_181,
    currency: 'USD',
    frequency: 'once',
    donor: { name: 'Ana Souza', email: 'ana@example.org' },
    description: 'Lanternwell',
    language: 'en',
    receiptSender: 'processor',
    returnUrl: undefined,
    token: 'tok',
  };
  await gateway.createPayment(gift);
  await gateway.createPayment({ ...gift, reference: 'ABCDE-FGHJM', receiptSender: 'none' });
  assert.deepEqual(
    fakeStripe.listPaymentIntents().map((intent) => intent.receipt_email),
    ['ana@example.org', null],
  );
});

test('distinguishes wallets, cards, and bank debits', async () => {
  await using fakeStripe = await startFakeStripe();
  const gateway = createGateway(fakeStripe);
  for (const [paymentMethod, method, currency = 'USD'] of [
    [CARDS.good, 0],
    [CARDS.applePay, 4],
    [BANKS.sepa, 1, 'EUR'],
    [BANKS.bacs, 1, 'GBP'],
    [BANKS.becs, 1, 'AUD'],
  ] as const) {
    const gift: PaymentRequest = {
      reference: `ABCDE-${paymentMethod}`,
      total: 5_181,
      currency,
      frequency: 'once',
      donor: { name: 'Ana Souza', email: 'ana@example.org' },
      description: 'Lanternwell',
      language: 'en',
      receiptSender: 'none',
      returnUrl: undefined,
      token: fakeStripe.createConfirmationToken(paymentMethod),
    };
    assert.equal(
      (await gateway.chargePayment(await gateway.createPayment(gift), gift)).method,
      method,
    );
  }
});

const REQUEST: PaymentRequest = {
  reference: 'ABCDE-FGHJK',
  total: 5_181,
  currency: 'USD',
  frequency: 'monthly',
  donor: { name: 'Ana Souza', email: 'ana@example.org' },
  description: 'Lanternwell',
  language: 'en',
  receiptSender: 'none',
  returnUrl: 'https://lanternwell.example/give',
  token: 'ctoken_pending',
};

/** Creates and confirms a payment, as the server does. */
async function chargePayment(
  fake: FakeStripe,
  gateway: PaymentGateway,
  method: string,
  changes: Partial<PaymentRequest> = {},
): Promise<Payment> {
  const request = { ...REQUEST, ...changes };
  const isRecurring = request.frequency !== 'once';
  return gateway.chargePayment(await gateway.createPayment(request), {
    ...request,
    token: fake.createConfirmationToken(method, { isRecurring }),
  });
}

test('accepts a monthly donation without a name', async () => {
  await using fake = await startFakeStripe();
  const { status } = await chargePayment(fake, createGateway(fake), CARDS.good, {
    donor: { name: '', email: 'ana@example.org' },
  });
  assert.equal(status, 'succeeded');
});

test('accepts a monthly donation although a configured payment method is not activated', async () => {
  await using fake = await startFakeStripe();
  fake.deactivatePaymentMethodType('us_bank_account');
  assert.equal((await chargePayment(fake, createGateway(fake), CARDS.good)).status, 'succeeded');
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

test('renews a monthly donation by iDEAL with a SEPA debit', async () => {
  await using fake = await startFakeStripe();
  const gateway = createStripeGateway({
    secretKey: fake.secretKey,
    methods: ['card', 'ideal'],
    apiUrl: fake.url,
  });
  const pending = await chargePayment(fake, gateway, 'ideal', { currency: 'EUR' });
  fake.completeAuthentication(pending.paymentId, true);
  const { subscriptionId } = await gateway.retrievePayment(pending);
  fake.renewSubscription(subscriptionId!);
  assert.equal(fake.listPaymentIntents().at(-1)?.status, 'processing');
});

test('accepts donations after the product was archived in the Dashboard', async () => {
  await using fake = await startFakeStripe();
  await chargePayment(fake, createGateway(fake), CARDS.good);
  fake.archiveProduct('donation-form-gift');
  const { status } = await chargePayment(fake, createGateway(fake), CARDS.good, {
    reference: 'ABCDE-FGHJM',
  });
  assert.equal(status, 'succeeded');
});

test('reports errors that the donor can correct', async () => {
  await using fake = await startFakeStripe();
  for (const [changes, reason] of [
    [{ donor: { name: 'Ana Souza', email: 'a..b@example.org' } }, 'email-invalid'],
    [{ frequency: 'once', total: 20 }, 'amount-too-small'],
    [{ frequency: 'once', total: 100_000_000 }, 'amount-too-large'],
    [{ token: undefined, total: 20 }, 'amount-too-small'],
  ] as const) {
    const error = await createGateway(fake)
      .createPayment({ ...REQUEST, reference: `ABCDE-${reason}`, ...changes })
      .catch((error: unknown) => error);
    assert.ok(error instanceof NotChargedError);
    assert.equal(error.reason, reason);
  }
});

test("charges the displayed amount on the hosted page, in the form's currency and language", async () => {
  await using fake = await startFakeStripe();
  const { paymentId } = await createGateway(fake).createPayment({
    ...REQUEST,
    language: 'pt-BR',
    token: undefined,
  });
  const { adaptive_pricing: adaptivePricing, locale } = fake.getCheckoutSession(paymentId);
  assert.deepEqual([adaptivePricing?.enabled, locale], [false, 'pt-BR']);
});

test('requests only instant verification of bank accounts', async () => {
  await using fake = await startFakeStripe();
  await chargePayment(fake, createGateway(fake), CARDS.good, { frequency: 'once' });
  assert.equal(
    fake.listPaymentIntents()[0]?.payment_method_options?.us_bank_account?.verification_method,
    'instant',
  );
});

function createClient({ secretKey, url }: FakeStripe): Stripe {
  return new Stripe(secretKey, { host: '127.0.0.1', port: new URL(url).port, protocol: 'http' });
}

/** Signs a webhook as Stripe does. */
const sign = async (fake: FakeStripe, event: object): Promise<[body: string, Headers]> => {
  const body = JSON.stringify(event);
  const { webhookSecret: secret } = fake;
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret });
  return [body, new Headers({ 'Stripe-Signature': signature })];
};

test('says how to receive events that it can read instead of thin events', async () => {
  await using fake = await startFakeStripe();
  const event = { id: 'evt_1', object: 'v2.core.event', type: 'v1.charge.refunded' };
  await assert.rejects(
    createGateway(fake).verifyAndFetchEvents!(...(await sign(fake, event))),
    (error) => error instanceof InvalidPayloadError && error.message.includes('style "Snapshot"'),
  );
});

test('reports a subscription status that returns as another event, and repeats as the same', async () => {
  await using fake = await startFakeStripe();
  const gateway = createGateway(fake);
  const { subscriptionId } = await chargePayment(fake, gateway, CARDS.good);
  const ids = [];
  for (const created of [1, 1, 2]) {
    const type = 'customer.subscription.updated';
    const event = { id: 'evt_1', type, created, data: { object: { id: subscriptionId } } };
    const [found] = await gateway.verifyAndFetchEvents!(...(await sign(fake, event)));
    ids.push((found as { id: string }).id);
  }
  assert.equal(ids[0], ids[1]);
  assert.notEqual(ids[0], ids[2]);
});

test('reports a dispute in another currency with the whole charge', async () => {
  const dispute = { id: 'du_1', payment_intent: 'pi_1', created: 1, status: 'needs_response' };
  const charge = { currency: 'usd', amount: 5_181 };
  const find = async (amount: number, currency: string): Promise<unknown> => {
    const data = [{ ...dispute, amount, currency, charge }];
    const stripe = {
      refunds: { list: async () => ({ data: [] }) },
      disputes: {
        list: async ({ expand = [] as string[] }) => {
          assert.deepEqual(expand, ['data.charge']);
          return { data };
        },
      },
    } as unknown as Stripe;
    return (await fetchReversalEvents(stripe, 'pi_1', new Date(0))).map((event) =>
      'amount' in event ? event.amount : undefined,
    );
  };
  assert.deepEqual(await find(2_000, 'usd'), [2_000]);
  assert.deepEqual(await find(7_800, 'jpy'), [5_181]);
});

test('retrieves a declined payment without changing it, and cancels it when told to', async () => {
  await using fake = await startFakeStripe();
  const gateway = createGateway(fake);
  const payment = await gateway.createPayment({ ...REQUEST, frequency: 'once' });
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
      const { paymentId } = await gateway.createPayment({
        ...REQUEST,
        reference,
        frequency,
        token,
      });
      assert.match(paymentId, /^(pi|cs)_/, reference);
    }
});

test('labels the payment of a renewal with the reference', async () => {
  await using fake = await startFakeStripe();
  const gateway = createGateway(fake);
  const { subscriptionId } = await chargePayment(fake, gateway, CARDS.good);
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
  const { paymentId, subscriptionId } = await chargePayment(fake, gateway, CARDS.good);
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
  const [dispute] = await collectWebhooks(fake).then((all) =>
    all.filter(({ body }) => body.includes('charge.dispute.created')),
  );
  await assert.rejects(
    gateway.verifyAndFetchEvents!(dispute!.body, dispute!.headers),
    Stripe.errors.StripePermissionError,
    'the dispute itself cannot be read',
  );
});

test('ignores signed refunds of charges without a payment intent', async () => {
  await using fake = await startFakeStripe();
  const gateway = createGateway(fake);
  for (const type of ['refund.created', 'charge.refunded', 'charge.dispute.created'])
    for (const fields of [{}, { payment_intent: null }]) {
      const object = { id: 'du_1', status: 'lost', ...fields };
      const body = JSON.stringify({ id: 'evt_1', type, created: 1, data: { object } });
      const headers = new Headers({
        'Stripe-Signature': await Stripe.webhooks.generateTestHeaderStringAsync({
          payload: body,
          secret: fake.webhookSecret,
        }),
      });
      const events = gateway.verifyAndFetchEvents!(body, headers);
      if (type === 'charge.dispute.created') await assert.rejects(events, PaymentNotFoundError);
      else assert.deepEqual(await events, [], type);
    }
});

test('writes only to our own payments, and nothing when it lists events', async () => {
  await using fake = await startFakeStripe();
  const gateway = createGateway(fake);
  const stripe = createClient(fake);
  const { paymentId: ours } = await chargePayment(fake, gateway, CARDS.good);
  const { id: tickets } = await stripe.products.create({ name: 'Tickets' });
  const payBySubscription = async (product: string): Promise<string> => {
    const customer = await stripe.customers.create({});
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      metadata: { reference: '7K4M9-QXD2P' },
      payment_behavior: 'default_incomplete',
      items: [
        {
          price_data: {
            currency: 'usd',
            product,
            unit_amount: 5_000,
            recurring: { interval: 'month' },
          },
        },
      ],
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
  const listed = [];
  for await (const { reference } of gateway.iteratePayments!(
    new Date(0),
    new Date(Date.now() + 60_000),
  ))
    listed.push(reference);
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
  const failures = results
    .filter(({ status }) => status === 'fail')
    .map(({ name, message }) => `${name}: ${message}`);
  assert.match(failures.join('\n'), /stripe methods: .*: sepa_debit\./);
  assert.match(
    failures.join('\n'),
    /stripe minimums: .* form wells in GBP \(0\.20, expected at least 0\.30\)/,
  );
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
  const [, permissions] = (await createGateway(fake).runChecks!(CHECK_SUBJECT)).filter(({ name }) =>
    ['stripe', 'stripe permissions'].includes(name),
  );
  assert.equal(permissions?.status, 'fail');
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

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { PaymentRequest } from '../../../src/server/payments/payment-gateway.ts';
import { createStripeGateway } from '../../../src/server/payments/stripe/stripe-gateway.ts';
import { getPayableDecimals } from '../../../src/server/payments/payment-options.ts';
import { fromStripeUnits } from '../../../src/server/payments/stripe/amounts.ts';
import { BANKS, CARDS, startFakeStripe, type FakeStripe } from '../../fake-stripe/index.ts';
import { testGateway, type TestPaymentMethod, type TestProvider } from './contract.ts';

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

const METHODS = ['card', 'us_bank_account', 'sepa_debit'];

export const createGateway = (fakeStripe: FakeStripe) =>
  createStripeGateway({
    secretKey: fakeStripe.secretKey,
    webhookSecret: fakeStripe.webhookSecret,
    methods: METHODS,
    baseUrl: fakeStripe.url,
  });

testGateway('stripe, against the fake', async (): Promise<TestProvider> => {
  const fakeStripe = await startFakeStripe();
  const disputes = new Map<string, string>();
  let failsWhenRenewed = false;
  return {
    gateway: createGateway(fakeStripe),
    createToken(method) {
      failsWhenRenewed = method === 'fails when renewed';
      return Promise.resolve(fakeStripe.createConfirmationToken(TEST_CARDS[method]));
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
        body: new URLSearchParams({ number: CARDS.good }),
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
    [Symbol.asyncDispose]: () => fakeStripe.close(),
  };
});

/** What Stripe sends to a webhook endpoint, as it arrives. */
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
  ['HUF', 2, 500_000, 500_000],
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
      wantsReceipt: false,
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
          },
        ],
        currency,
      ),
      decimals,
    );
    const paid = await gateway.confirm(await gateway.create(gift), gift);
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
    wantsReceipt: true,
    returnUrl: undefined,
    token: 'tok',
  };
  await gateway.create(gift);
  await gateway.create({ ...gift, reference: 'ABCDE-FGHJM', wantsReceipt: false });
  assert.deepEqual(
    fakeStripe.listPaymentIntents().map((intent) => intent.receipt_email),
    ['ana@example.org', null],
  );
});

test('distinguishes wallets, cards, and bank debits', async () => {
  await using fakeStripe = await startFakeStripe();
  const gateway = createGateway(fakeStripe);
  for (const [paymentMethod, method] of [
    [CARDS.good, 0],
    [CARDS.applePay, 4],
    [BANKS.sepa, 1],
  ] as const) {
    const gift: PaymentRequest = {
      reference: `ABCDE-FGH${method}K`,
      total: 5_181,
      currency: paymentMethod === BANKS.sepa ? 'EUR' : 'USD',
      frequency: 'once',
      donor: { name: 'Ana Souza', email: 'ana@example.org' },
      description: 'Lanternwell',
      language: 'en',
      wantsReceipt: false,
      returnUrl: undefined,
      token: fakeStripe.createConfirmationToken(paymentMethod),
    };
    assert.equal((await gateway.confirm(await gateway.create(gift), gift)).method, method);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stripe } from 'stripe';
import { FundraisingClient } from '../../../src/platform-clients/fundraising/index.ts';
import { iterateWithLimit, PageLimitError } from '../../../src/server/lib/page-limit.ts';
import { PayPalClient } from '../../../src/server/payments/paypal/client.ts';
import { iteratePayPalPayments as listPayPalPayments } from '../../../src/server/payments/paypal/list.ts';
import { iterateStripePayments } from '../../../src/server/payments/stripe/list.ts';
import { createHttpAdapter } from '../../../src/server/platform/http.ts';
import { createSandboxAdapter } from '../../../src/server/platform/sandbox.ts';
import { reconcile } from '../reporting/support.ts';
import { startServer } from '../support.ts';

const PERIOD = [new Date('2026-11-01'), new Date('2026-12-01')] as const;
const MAX_PAGES = 10_000;

async function catchError(records: AsyncIterable<unknown>): Promise<Error> {
  try {
    for await (const record of records) assert.ok(record);
  } catch (error) {
    return error as Error;
  }
  return assert.fail('the list ended');
}

/** Creates a fetch function whose responses count up, and the number of its calls. */
function createEndlessList(respond: (call: number) => object): {
  readonly fetch: typeof globalThis.fetch;
  readonly calls: () => number;
} {
  let calls = 0;
  return {
    fetch: async () => Response.json(respond((calls += 1))),
    calls: () => calls,
  };
}

function assertPageLimit(error: Error, list: string, maxPages = MAX_PAGES): void {
  assert.equal(error.name, 'PageLimitError');
  assert.equal(
    error.message,
    `${list} has more than ${maxPages} pages, so the server stopped reading it. Choose a shorter period.`,
  );
}

test('stops at 10,000 pages of gifts at a platform', async () => {
  const { fetch, calls } = createEndlessList((call) => ({
    items: [{ id: call, reference: `R${call}` }],
  }));
  const client = new FundraisingClient({ baseUrl: 'https://platform.test', apiKey: 'key', fetch });
  const adapter = createHttpAdapter(client, {
    record: { path: '/api/gift', body: {}, idPath: 'id' },
    list: {
      path: '/api/gift?skip={skip}&take={take}',
      itemsPath: 'items',
      referencePath: 'reference',
      idPath: 'id',
    },
  });
  const error = await catchError(adapter.iterateGifts!(...PERIOD));
  assertPageLimit(error, "the platform's list of gifts");
  assert.equal(calls(), MAX_PAGES + 1);
});

test('stops at the maximum number of pages of gifts at the sandbox platform', async () => {
  const items = Array.from({ length: 100 }, (_, index) => ({
    id: index + 1,
    reference: `R${index}`,
    total: '50.00',
    currency: 'USD',
    status: 1,
    created: '2026-11-21T12:00:00Z',
  }));
  const { fetch, calls } = createEndlessList(() => ({ items }));
  const client = new FundraisingClient({ baseUrl: 'https://platform.test', apiKey: 'key', fetch });
  const error = await catchError(
    createSandboxAdapter(client, { maxPages: 20 }).iterateGifts!(...PERIOD),
  );
  assertPageLimit(error, "the platform's list of gifts", 20);
  assert.equal(calls(), 20);
});

test("stops at 10,000 pages of PayPal's transactions", async () => {
  const { fetch, calls } = createEndlessList(() => ({
    access_token: 'token',
    expires_in: 32_400,
    total_pages: MAX_PAGES + 1,
  }));
  const client = new PayPalClient({
    clientId: 'id',
    clientSecret: 'secret',
    environment: 'sandbox',
    fetch,
  });
  const yesterday = new Date(Date.now() - 86_400_000);
  const error = await catchError(listPayPalPayments(client, yesterday, new Date()));
  assertPageLimit(error, 'GET /v1/reporting/transactions');
  const otherCalls = ['POST /v1/oauth2/token', 'GET /v1/customer/disputes'].length;
  assert.equal(calls(), MAX_PAGES + otherCalls);
});

test("stops at the maximum number of Stripe's charges, even if none is a donation", async () => {
  let charges = 0;
  const stripe = new Stripe('sk_test_x');
  const failed = { payment_intent: null, metadata: {} };
  stripe.charges.list = (() => ({
    async *[Symbol.asyncIterator]() {
      for (;;) {
        charges += 1;
        yield failed;
      }
    },
  })) as unknown as typeof stripe.charges.list;
  const error = await catchError(iterateStripePayments(stripe, ...PERIOD, 500));
  assert.equal(
    error.message,
    "Stripe's list of charges has more than 500 records, so the server stopped reading it. Choose a shorter period.",
  );
  assert.equal(charges, 501);
});

test('yields exactly as many records as the limit allows', async () => {
  async function* generateNumbers(to: number): AsyncGenerator<number> {
    for (let number = 1; number <= to; number += 1) yield number;
  }
  const seen: number[] = [];
  for await (const number of iterateWithLimit('the list', generateNumbers(3), 3)) seen.push(number);
  assert.deepEqual(seen, [1, 2, 3]);
  const error = await catchError(iterateWithLimit('the list', generateNumbers(4), 3));
  assert.ok(error instanceof PageLimitError);
});

test('a reconciliation reports a list that is longer than the limit', async () => {
  await using server = await startServer();
  const { reader, payments } = server.organizations.all[0]!;
  const error = new PageLimitError('the list is too long. Choose a shorter period.');
  const iterateWithError = (): AsyncIterable<never> => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
  });
  Object.assign(reader, { iterateGifts: iterateWithError });
  Object.assign([...payments.values()][0]!.gateway, { iteratePayments: iterateWithError });
  const { notCompared } = await reconcile(server);
  assert.deepEqual(
    notCompared.map(({ side, reason, isFailure }) => [side, reason, isFailure]),
    [
      [
        'payment-provider',
        'listing payments at stripe failed: the list is too long. Choose a shorter period.',
        true,
      ],
      ['platform', 'listing gifts failed: the list is too long. Choose a shorter period.', true],
    ],
  );
});

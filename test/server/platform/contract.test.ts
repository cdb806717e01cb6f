/** Runs the contract of platform adapters against each of them, with the sandbox as the platform. */
import type { HttpPlatformConfiguration } from '../../../src/core/schemas/configuration.ts';
import type { FundraisingClient } from '../../../src/platform-clients/fundraising/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { createVirtuousRaise } from '../../../src/server/payments/virtuous-raise/virtuous-raise.ts';
import { createHttpAdapter } from '../../../src/server/platform/http.ts';
import type { PlatformAdapter } from '../../../src/server/platform/platform-adapter.ts';
import { createSandboxAdapter } from '../../../src/server/platform/sandbox.ts';
import { createVirtuousCrmAdapter } from '../../../src/server/platform/virtuous-crm.ts';
import { testAdapter } from './contract.ts';
import {
  CallFaults,
  createClient,
  createGiftRequest,
  type RecordedGift,
  type TestPlatform,
} from './test-platform.ts';

const URL_OF_SANDBOX = 'https://sandbox.test';
const KEY = 'key';
const DAY = 86_400_000;

type List = (path: string) => Promise<{ readonly items: readonly Record<string, unknown>[] }>;

/** Opens a sandbox with an adapter that calls the API at a path of it. */
async function openPlatform(
  basePath: string,
  createAdapter: (
    client: FundraisingClient,
  ) => PlatformAdapter | Pick<TestPlatform, 'adapter' | 'prepareGift'>,
  listGifts: (list: List) => Promise<readonly RecordedGift[]>,
): Promise<TestPlatform> {
  let offset = 0;
  const sandbox = createSandbox({ platformKey: KEY, now: () => new Date(Date.now() + offset) });
  const faults = new CallFaults();
  const headers = { Authorization: `Bearer ${KEY}` };
  const list: List = async (path) => {
    const response = await sandbox.fetch(new Request(URL_OF_SANDBOX + path, { headers }));
    return (await response.json()) as Awaited<ReturnType<List>>;
  };
  const created = createAdapter(
    createClient(faults.wrap(sandbox.fetch), URL_OF_SANDBOX + basePath),
  );
  return {
    ...('adapter' in created ? created : { adapter: created }),
    faults,
    listGifts: () => listGifts(list),
    waitUntilVisible: () => {
      offset += DAY;
    },
    [Symbol.asyncDispose]: async () => sandbox.close(),
  };
}

const ALL_TIME = 'from=2020-01-01T00:00:00Z&to=2040-01-01T00:00:00Z';

const listSandboxGifts = async (list: List): Promise<readonly RecordedGift[]> =>
  (await list(`/sandbox/gifts?${ALL_TIME}`)).items.map(({ reference, total }) => ({
    reference: String(reference),
    total: String(total),
  }));

const CALLS = {
  record: {
    path: '/sandbox/gifts',
    body: {
      reference: '{reference}',
      summary: 'A gift of {total}',
      total: '{total}',
      gift: '{gift}',
      donor: '{donor}',
      projects: '{projects}',
      giftStatus: '{giftStatus}',
    },
    idPath: 'id',
  },
  find: { path: '/sandbox/gifts?reference={reference}', idPath: 'items.0.id' },
  update: {
    method: 'PATCH',
    path: '/sandbox/gifts/{platformId}',
    body: { status: '{giftStatus}', refunded: '{refunded}' },
  },
  list: {
    path: '/sandbox/gifts?from={from}&to={to}&skip={skip}&take={take}',
    itemsPath: 'items',
    referencePath: 'reference',
    idPath: 'id',
    amountPath: 'total',
  },
} as const satisfies Partial<HttpPlatformConfiguration>;

const NOT_IDEMPOTENT = { 'idempotent create': 'a repeated call creates a second gift' };

testAdapter('sandbox', NOT_IDEMPOTENT, () =>
  openPlatform('', (client) => createSandboxAdapter(client), listSandboxGifts),
);

testAdapter('http', NOT_IDEMPOTENT, () =>
  openPlatform('', (client) => createHttpAdapter(client, CALLS), listSandboxGifts),
);

const NOT_CONFIGURED = {
  lookup: 'not configured',
  updates: 'not configured',
  lists: 'not configured',
};
const { record } = CALLS;
testAdapter('http with nothing but record', { ...NOT_IDEMPOTENT, ...NOT_CONFIGURED }, () =>
  openPlatform('', (client) => createHttpAdapter(client, { record }), listSandboxGifts),
);

testAdapter(
  'virtuous-crm',
  {
    updates: 'reversing transactions cannot be repeated safely, and reverse whole gifts only',
    lists: 'the query of gifts has no documented filter for the time at which they were added',
    pending: 'the documentation says to submit a payment once it has succeeded',
  },
  () =>
    openPlatform(
      '/virtuous-crm',
      (client) =>
        createVirtuousCrmAdapter(client, {
          transactionSource: 'donation-form',
          giftType: 'Cash',
          designationsField: 'designations',
          emailLists: {},
          customFields: {},
          timeZone: 'UTC',
        }),
      async (list) =>
        (await list('/virtuous-crm/sandbox/transactions')).items.map(({ transactionId, body }) => ({
          reference: String(transactionId),
          total: String((body as { amount: unknown }).amount),
        })),
    ),
);

testAdapter(
  'virtuous-raise',
  {
    creates: 'the gift comes into being with the charge',
    updates: 'gifts cannot be changed, and only refunds made in Virtuous Raise change them',
    lists: 'not implemented, so gifts are looked up one at a time',
    pending: 'a gift is linked once its money has arrived',
  },
  () =>
    openPlatform(
      '',
      (client) => {
        const { gateway, platform } = createVirtuousRaise(
          { charges: client, searches: client },
          { currency: 'USD', body: { comment: '{reference}' }, referencePath: 'comment' },
        );
        return {
          adapter: platform,
          prepareGift: async (gift) => {
            const request = createGiftRequest(gift);
            return gateway.chargePayment(await gateway.createPayment(request), request);
          },
        };
      },
      async (list) =>
        (await list('/api/Gift/list?Skip=0&Take=100')).items.map(({ comment, amount }) => ({
          reference: String(comment),
          total: String(amount),
        })),
    ),
);

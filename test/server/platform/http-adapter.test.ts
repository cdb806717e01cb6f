import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { FundraisingClient } from '../../../src/platform-clients/fundraising/index.ts';
import {
  fillBodyTemplate,
  findUnknownPlaceholders,
  GIFT_NAMES,
} from '../../../src/server/platform/body-template.ts';
import { createHttpAdapter } from '../../../src/server/platform/http.ts';
import {
  type GiftChange,
  GiftNotCreatedError,
} from '../../../src/server/platform/platform-adapter.ts';
import { createClient, createGift } from './test-platform.ts';

const gift = createGift({
  reference: '7K4M9-QXD2P',
  donor: { firstName: 'Ana', lastName: 'Souza' },
});
const change: GiftChange = {
  kind: 'refund',
  reference: '7K4M9-QXD2P',
  platformId: '41',
  at: new Date('2026-11-21T12:00:00Z'),
  amount: '51.81',
  refunded: '51.81',
  currency: 'USD',
  giftStatus: 4,
};
const configuration = {
  record: {
    path: '/api/gift/{reference}',
    body: {
      externalId: '{reference}',
      amount: '{total}',
      donor: { name: '{donor.firstName} {donor.lastName}', email: '{donor.email}' },
      splits: '{projects}',
      at: '{givenAt}',
      source: 'web',
    },
    idPath: 'gift.id',
  },
  find: { path: '/api/gift?reference={reference}', idPath: 'items.0.id' },
};
const createAdapter = (
  answer: (request: Request) => Response | Promise<Response>,
  calls: Parameters<typeof createHttpAdapter>[1] = configuration,
) => createHttpAdapter(createClient(answer), calls);
const isNotCreated = (error: unknown): boolean => error instanceof GiftNotCreatedError;

test('creates a gift with the configured call, and finds it by its reference', async () => {
  const asked: { line: string; body: unknown }[] = [];
  const platform = createAdapter(async (request) => {
    asked.push({
      line: `${request.method} ${new URL(request.url).pathname}${new URL(request.url).search}`,
      body: request.method === 'POST' ? ((await request.json()) as unknown) : undefined,
    });
    return Response.json(
      request.method === 'POST' ? { gift: { id: 41 } } : { items: [{ id: '42' }] },
    );
  });
  assert.deepEqual(
    [await platform.createGift(gift), await platform.findGiftId!('A&B')],
    ['41', '42'],
  );
  assert.deepEqual(asked, [
    {
      line: 'POST /api/gift/7K4M9-QXD2P',
      body: {
        externalId: '7K4M9-QXD2P',
        amount: '51.81',
        donor: { name: 'Ana Souza' },
        splits: [{ id: '2', code: 'WATER', name: 'Village wells', amount: '50.00' }],
        at: '2026-11-21T12:00:00.000Z',
        source: 'web',
      },
    },
    { line: 'GET /api/gift?reference=A%26B', body: undefined },
  ]);
});

test('distinguishes an answer without a gift ID from one that has no gift', async () => {
  for (const open of [
    Response.json({ id: 7 }),
    Response.json({ gift: { id: '' } }),
    new Response('<html>'),
  ])
    await assert.rejects(
      createAdapter(() => open).createGift(gift),
      (error) => !isNotCreated(error),
    );
  for (const absent of [
    { items: [] },
    { items: null },
    { items: [null] },
    { items: [{ id: null }] },
  ])
    assert.equal(
      await createAdapter(() => Response.json(absent)).findGiftId!('R'),
      undefined,
      JSON.stringify(absent),
    );
  for (const odd of [
    {},
    { item: [] },
    { items: [{}] },
    { items: [{ id: 7.5 }] },
    { items: [{ id: '00000000-0000-0000-0000-000000000000' }] },
    { items: [{ id: 'a b' }] },
    { items: [{ id: 2 ** 53 }] },
    { items: [{ id: -3 }] },
    { items: {} },
  ])
    await assert.rejects(
      createAdapter(() => Response.json(odd)).findGiftId!('R'),
      /no gift ID at items\.0\.id/,
      JSON.stringify(odd),
    );
  await assert.rejects(
    createAdapter(() => Response.json({ message: 'not found' }, { status: 404 })).findGiftId!('R'),
  );
});

test('sends a change with the configured call and only changed fields, and offers none if it is not configured', async () => {
  const asked: { line: string; body: unknown }[] = [];
  const client = createClient(async (request) => {
    const line = `${request.method} ${new URL(request.url).pathname}`;
    asked.push({ line, body: (await request.json()) as unknown });
    return Response.json({});
  });
  const update = {
    method: 'PATCH',
    path: '/api/gift/{platformId}',
    body: {
      status: '{giftStatus}',
      recurringStatus: '{recurringGiftStatus}',
      refunded: '{refunded}',
      note: '{kind} of {amount} {currency}',
      id: '{platformId}',
    },
  } as const;
  const body = { status: 4, refunded: '51.81', note: 'refund of 51.81 USD' };
  for (const [platformId, id] of [
    ['41', 41],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740993', '9007199254740993'],
    ['041', '041'],
    ['0065g00000ABC100', '0065g00000ABC100'],
  ] as const) {
    const adapter = createHttpAdapter(client, { ...configuration, update });
    await adapter.updateGift!({ ...change, platformId });
    const line = `PATCH /api/gift/${platformId}`;
    assert.deepEqual(asked.pop(), { line, body: { ...body, id } });
  }
  assert.equal('updateGift' in createHttpAdapter(client, configuration), false);
});

test('offers no lookup if none is configured, so an ambiguous gift needs review', () => {
  const { record } = configuration;
  assert.equal('findGiftId' in createAdapter(() => Response.json({}), { record }), false);
});

test('fills templates only with own properties, and reports unknown names', () => {
  assert.deepEqual(
    fillBodyTemplate(
      {
        a: '{donor.constructor}',
        b: '{projects.0.name}',
        c: ['{gift.currency}'],
        d: 'x{donor.phone}y',
        e: 7,
        f: null,
      },
      gift,
    ),
    { b: 'Village wells', c: ['USD'], d: 'xy', e: 7, f: null },
  );
  assert.deepEqual(
    findUnknownPlaceholders({ a: '{amount}', b: { c: '{donor.email} {token}' } }, GIFT_NAMES),
    ['amount', 'token'],
  );
});

test('lists gifts page by page until one is empty, and ignores gifts without our reference', async () => {
  const asked: string[] = [];
  const gifts = Array.from({ length: 230 }, (_, index) => ({
    id: index + 1,
    externalId: index === 7 ? null : `R${index}`,
    amount: index === 0 ? 51.81 : '5.00',
  }));
  const client = createClient(({ url }) => {
    const { search, searchParams } = new URL(url);
    const skip = Number(searchParams.get('skip'));
    asked.push(decodeURIComponent(search));
    const items = gifts.slice(skip, skip + Number(searchParams.get('take')));
    return Response.json({ data: { items } });
  });
  const list = {
    path: '/api/gift?from={from}&to={to}&skip={skip}&take={take}',
    itemsPath: 'data.items',
    referencePath: 'externalId',
    idPath: 'id',
    amountPath: 'amount',
  };
  const adapter = createHttpAdapter(client, { ...configuration, list });
  const found = await Array.fromAsync(
    adapter.iterateGifts!(new Date('2026-11-01T00:00:00Z'), new Date('2026-12-01T00:00:00Z')),
  );
  assert.deepEqual(
    [found.length, found[0], found.at(-1)?.platformId],
    [229, { platformId: '1', reference: 'R0', total: '51.81' }, '230'],
  );
  assert.deepEqual(
    asked.map((query) =>
      query.replace('?from=2026-11-01T00:00:00.000Z&to=2026-12-01T00:00:00.000Z&', ''),
    ),
    ['skip=0&take=100', 'skip=100&take=100', 'skip=200&take=100', 'skip=230&take=100'],
  );
  assert.equal('iterateGifts' in createHttpAdapter(client, configuration), false);
});

test('stops with an error if the list is invalid or repeats the same page', async () => {
  const list = {
    path: '/api/gift?skip={skip}&take={take}',
    itemsPath: 'items',
    referencePath: 'reference',
    idPath: 'id',
  };
  for (const [answer, problem] of [
    [{ gifts: [] }, /no list at items/],
    [{ items: [{ reference: 'R', id: '' }] }, /no gift ID at id/],
    [{ items: [{ reference: 'R', id: 1 }] }, /the same page again/],
  ] as const) {
    const adapter = createAdapter(() => Response.json(answer), { ...configuration, list });
    await assert.rejects(Array.fromAsync(adapter.iterateGifts!(new Date(), new Date())), problem);
  }
});

/** Returns true if the gift may be sent again without a lookup. */
const canResend = (
  answer: () => Response | Promise<Response>,
  notRecordedStatuses?: number[],
): Promise<boolean> =>
  createAdapter(answer, {
    record: { ...configuration.record, ...(notRecordedStatuses && { notRecordedStatuses }) },
  })
    .createGift(gift)
    .then(() => assert.fail('the call succeeded'), isNotCreated);

test('resends a gift without a lookup only after 429 and the declared statuses', async () => {
  const findStatuses = async (declared?: number[]): Promise<number[]> => {
    const found: number[] = [];
    for (const status of [
      302, 400, 401, 403, 404, 405, 408, 409, 413, 422, 429, 500, 502, 503, 504,
    ])
      if (await canResend(() => Response.json({}, { status }), declared)) found.push(status);
    return found;
  };
  assert.deepEqual(await findStatuses(), [400, 401, 403, 404, 422, 429]);
  assert.deepEqual(await findStatuses([]), [429]);
  assert.deepEqual(await findStatuses([409, 503]), [409, 429, 503]);
});

test('resends a gift without a lookup if the call was not sent', async () => {
  const createFailure = (code: string) => () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) }));
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'])
    assert.equal(await canResend(createFailure(code)), true, code);
  for (const code of ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])
    assert.equal(await canResend(createFailure(code)), false, code);
});

test('resends a gift without a lookup if TLS fails with a real server', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new FundraisingClient({
    baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'key',
  });
  await assert.rejects(
    createHttpAdapter(client, { record: configuration.record }).createGift(gift),
    GiftNotCreatedError,
  );
  server.close();
});

test('treats any 2xx response with a gift ID as recorded, and 204 as a successful change', async () => {
  for (const status of [200, 201, 202])
    assert.equal(
      await createAdapter(() => Response.json({ gift: { id: 41 } }, { status })).createGift(gift),
      '41',
      String(status),
    );
  await assert.rejects(
    createAdapter(() => new Response(null, { status: 204 })).createGift(gift),
    (error) => !isNotCreated(error),
    'without an ID, the gift may have been recorded',
  );
  const update = { method: 'PUT', path: '/api/gift/{platformId}', body: {} } as const;
  const updateGiftWithResponse = (response: Response): Promise<void> =>
    createAdapter(() => response, { ...configuration, update }).updateGift!(change);
  await updateGiftWithResponse(new Response(null, { status: 204 }));
  await updateGiftWithResponse(Response.json({}, { status: 202 }));
  await assert.rejects(updateGiftWithResponse(new Response('<html>', { status: 200 })));
  await assert.rejects(updateGiftWithResponse(new Response('', { status: 200 })));
});

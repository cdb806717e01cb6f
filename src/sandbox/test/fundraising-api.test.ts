import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  ActivityOrigin,
  FundraisingClient,
  FundraisingError,
  NoResponseError,
  RateLimitedError,
} from '../../platform-clients/fundraising/index.ts';
import { createSandbox, type SandboxOptions } from '../index.ts';

const openFundraisingApi = (options: Partial<SandboxOptions> = {}) => {
  const sandbox = createSandbox({ platformKey: 'key', ...options });
  const request = async (path: string, init: RequestInit = {}): Promise<Response> =>
    sandbox.fetch(
      new Request(`https://sandbox.test${path}`, {
        headers: { Authorization: 'Bearer key' },
        ...init,
      }),
    );
  const fetchItems = async (path: string): Promise<Record<string, unknown>[]> =>
    ((await (await request(path)).json()) as { items: Record<string, unknown>[] }).items;
  const client = new FundraisingClient({
    baseUrl: 'https://sandbox.test',
    apiKey: 'key',
    fetch: async (input, init) => sandbox.fetch(new Request(input, init)),
  });
  return { sandbox, request, fetchItems, client };
};
const getNames = (items: readonly Record<string, unknown>[]): unknown[] =>
  items.map(({ name }) => name);

test('Authentication: rejects a missing or wrong key', async () => {
  const { request } = openFundraisingApi();
  for (const headers of [
    {},
    { Authorization: 'Bearer other' },
    { Authorization: 'Basic key' },
    { Authorization: 'key' },
  ]) {
    const response = await request('/api/campaign/list?skip=0&take=1', { headers });
    assert.equal(response.status, 401);
    assert.equal(typeof ((await response.json()) as { message: unknown }).message, 'string');
  }
});

test('Paging: skip and take are required; take 0 returns an empty items array', async () => {
  const { request, fetchItems } = openFundraisingApi();
  for (const query of [
    '',
    'skip=0',
    'take=5',
    'skip=-1&take=5',
    'skip=a&take=5',
    'skip=0&take=1.5',
  ])
    assert.equal((await request(`/api/campaign/list?${query}`)).status, 400, query);
  assert.deepEqual(await fetchItems('/api/campaign/list?skip=0&take=0'), []);
  assert.equal((await fetchItems('/api/campaign/list?skip=0&take=100')).length, 6);
  assert.deepEqual(getNames(await fetchItems('/api/campaign/list?skip=1&take=2')), [
    'Taps at School',
    'Monthly Springs',
  ]);
});

test('Free-text filter: campaigns match by exact ID, or by name or description in any case', async () => {
  const { fetchItems } = openFundraisingApi();
  assert.deepEqual(getNames(await fetchItems('/api/campaign/list?skip=0&take=9&filter=103')), [
    'Monthly Springs',
  ]);
  assert.deepEqual(getNames(await fetchItems('/api/campaign/list?skip=0&take=9&filter=10')), []);
  assert.deepEqual(getNames(await fetchItems('/api/campaign/list?skip=0&take=9&filter=RIVER')), [
    'River Watch',
  ]);
  assert.deepEqual(
    getNames(await fetchItems('/api/campaign/list?skip=0&take=9&filter=washrooms')),
    ['Taps at School'],
  );
});

test('Sorting: only by documented fields, ascending unless descending is true', async () => {
  const { request, fetchItems } = openFundraisingApi();
  assert.deepEqual(
    getNames(await fetchItems('/api/campaign/list?skip=0&take=2&sortBy=givingGoal')),
    ['River Watch', 'Flood Response'],
  );
  assert.deepEqual(
    getNames(
      await fetchItems('/api/campaign/list?skip=0&take=2&sortBy=givingGoal&descending=true'),
    ),
    ['Legacy Circle', 'Monthly Springs'],
  );
  assert.deepEqual(getNames(await fetchItems('/api/campaign/list?skip=0&take=1&sortBy=name')), [
    'Flood Response',
  ]);
  assert.equal((await request('/api/campaign/list?skip=0&take=1&sortBy=description')).status, 400);
});

test('Limits: every response carries the rate-limit headers, and requests over the limit receive 429', async () => {
  let time = Date.UTC(2026, 10, 21, 10, 30);
  const { request } = openFundraisingApi({ hourlyLimit: 2, now: () => new Date(time) });
  const getStatusAndRateLimit = (response: Response): (string | number | null)[] => [
    response.status,
    ...['Limit', 'Remaining', 'Reset'].map((name) => response.headers.get(`X-RateLimit-${name}`)),
  ];
  const reset = String(Date.UTC(2026, 10, 21, 11) / 1_000);
  assert.deepEqual(getStatusAndRateLimit(await request('/api/campaign/list?skip=0&take=1')), [
    200,
    '2',
    '1',
    reset,
  ]);
  assert.deepEqual(getStatusAndRateLimit(await request('/api/campaign/list')), [
    400,
    '2',
    '0',
    reset,
  ]);
  assert.deepEqual(getStatusAndRateLimit(await request('/api/campaign/list?skip=0&take=1')), [
    429,
    '2',
    '0',
    reset,
  ]);
  time += 1_800_000;
  assert.deepEqual(
    getStatusAndRateLimit(await request('/api/campaign/list?skip=0&take=1')).slice(0, 3),
    [200, '2', '1'],
  );
  assert.equal(
    (await openFundraisingApi().request('/api/campaign/list?skip=0&take=1')).headers.get(
      'X-RateLimit-Limit',
    ),
    '1500',
  );
});

test('Activities: lists a recorded gift and filters by origin and text', async () => {
  const { client } = openFundraisingApi();
  await client.call('POST', '/sandbox/gifts', {
    reference: 'R1',
    summary: 'Ana Souza gave 75.00 USD once to Village wells (R1)',
  });
  await client.call('POST', '/sandbox/gifts', {
    reference: 'R2',
    summary: 'Lee Park gave 20.00 USD once to River watch (R2)',
  });
  const listTexts = async (request: object): Promise<unknown[]> =>
    (await client.listActivities({ skip: 0, take: 20, ...request })).body.items.map(
      ({ displayText }) => displayText,
    );
  assert.equal((await listTexts({})).length, 2);
  assert.deepEqual(await listTexts({ filter: 'village WELLS' }), [
    'Ana Souza gave 75.00 USD once to Village wells (R1)',
  ]);
  assert.equal((await listTexts({ selectedActivityOrigins: [ActivityOrigin.Giving] })).length, 2);
  assert.deepEqual(await listTexts({ selectedActivityOrigins: [ActivityOrigin.CRM] }), []);
  assert.deepEqual(await listTexts({ take: 0 }), []);
  await assert.rejects(
    client.listActivities({ skip: 0, take: 1, selectedActivityOrigins: [9 as ActivityOrigin] }),
    FundraisingError,
  );
});

test('marks responses to calls outside the specification', async () => {
  const { request } = openFundraisingApi();
  assert.equal(
    (await request('/sandbox/gifts?reference=x')).headers.get('X-Sandbox-Extension'),
    'not in the specification',
  );
  assert.equal(
    (await request('/api/campaign/list?skip=0&take=1')).headers.get('X-Sandbox-Extension'),
    null,
  );
});

test('keeps its data across a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'sandbox.sqlite');
  const before = openFundraisingApi({ databaseFile: file });
  await before.client.call('POST', '/sandbox/gifts', { reference: 'R1', summary: 'a gift' });
  before.sandbox.close();
  const after = openFundraisingApi({ databaseFile: file });
  assert.equal((await after.client.listActivities({ skip: 0, take: 9 })).body.items.length, 1);
  after.sandbox.close();
  await rm(folder, { recursive: true });
});

test('the client returns campaigns and the rate limit', async () => {
  const { client } = openFundraisingApi();
  const { body, rateLimit } = await client.listCampaigns({
    skip: 0,
    take: 1,
    filter: 'wells',
    sortBy: 'id',
    descending: true,
  });
  assert.deepEqual(getNames(body.items), ['Winter Wells']);
  assert.deepEqual(
    [rateLimit.limit, rateLimit.remaining, rateLimit.resetsAt && rateLimit.resetsAt > new Date()],
    [1_500, 1_499, true],
  );
});

test("the client's errors keep the platform's message and distinguish rejections from lost responses", async () => {
  const createClientWithResponse = (
    response: () => Response | Promise<Response>,
  ): FundraisingClient =>
    new FundraisingClient({
      baseUrl: 'https://sandbox.test',
      apiKey: 'canary-key',
      fetch: async () => response(),
    });
  const list = { skip: 0, take: 1 };
  await assert.rejects(
    createClientWithResponse(() =>
      Response.json(
        { message: 'used up' },
        { status: 429, headers: { 'X-RateLimit-Reset': '1795233600' } },
      ),
    ).listCampaigns(list),
    (error) =>
      error instanceof RateLimitedError &&
      error.message === 'used up' &&
      error.rateLimit.resetsAt?.getTime() === 1_795_233_600_000,
  );
  await assert.rejects(
    createClientWithResponse(() => Response.json({ message: 'no' }, { status: 403 })).listCampaigns(
      list,
    ),
    (error) => error instanceof FundraisingError && error.status === 403 && error.message === 'no',
  );
  await assert.rejects(
    createClientWithResponse(
      () => new Response(null, { status: 302, headers: { Location: 'https://evil.example' } }),
    ).listCampaigns(list),
    (error) => error instanceof FundraisingError && error.status === 302,
  );
  await assert.rejects(
    createClientWithResponse(() => new Response('<html>')).listCampaigns(list),
    NoResponseError,
  );
  await assert.rejects(
    createClientWithResponse(() => Response.json({})).listCampaigns(list),
    NoResponseError,
  );
  await assert.rejects(
    createClientWithResponse(() => {
      throw new TypeError('fetch failed');
    }).listCampaigns(list),
    (error) => error instanceof NoResponseError && !error.message.includes('canary'),
  );
});

test('the client follows no redirect, so its key is not sent elsewhere', async () => {
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    response.writeHead(307, { Location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const client = new FundraisingClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'key',
  });
  await assert.rejects(
    client.listCampaigns({ skip: 0, take: 1 }),
    (error) => error instanceof FundraisingError && error.status === 307,
  );
  assert.deepEqual(requestedPaths, ['/api/campaign/list?skip=0&take=1']);
  server.close();
});

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
  NoAnswerError,
  RateLimitedError,
} from '../../src/platform-clients/fundraising/index.ts';
import { createSandbox, type SandboxOptions } from '../../src/sandbox/index.ts';

const open = (options: Partial<SandboxOptions> = {}) => {
  const sandbox = createSandbox({ platformKey: 'key', secretKey: 'secret', ...options });
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> =>
    sandbox.fetch(
      new Request(`https://sandbox.test${path}`, {
        headers: { Authorization: 'Bearer key' },
        ...init,
      }),
    );
  const items = async (path: string): Promise<Record<string, unknown>[]> =>
    ((await (await ask(path)).json()) as { items: Record<string, unknown>[] }).items;
  const client = new FundraisingClient({
    baseUrl: 'https://sandbox.test',
    apiKey: 'key',
    fetch: async (input, init) => sandbox.fetch(new Request(input, init)),
  });
  return { sandbox, ask, items, client };
};
const names = (items: readonly Record<string, unknown>[]): unknown[] =>
  items.map(({ name }) => name);

test('Authentication: a call without a key, or with another, fails', async () => {
  const { ask } = open();
  for (const headers of [
    {},
    { Authorization: 'Bearer other' },
    { Authorization: 'Basic key' },
    { Authorization: 'key' },
  ]) {
    const response = await ask('/api/campaign/list?skip=0&take=1', { headers });
    assert.equal(response.status, 401);
    assert.equal(typeof ((await response.json()) as { message: unknown }).message, 'string');
  }
});

test('Paging: skip and take are required; take 0 returns an empty items array', async () => {
  const { ask, items } = open();
  for (const query of [
    '',
    'skip=0',
    'take=5',
    'skip=-1&take=5',
    'skip=a&take=5',
    'skip=0&take=1.5',
  ])
    assert.equal((await ask(`/api/campaign/list?${query}`)).status, 400, query);
  assert.deepEqual(await items('/api/campaign/list?skip=0&take=0'), []);
  assert.equal((await items('/api/campaign/list?skip=0&take=100')).length, 6);
  assert.deepEqual(names(await items('/api/campaign/list?skip=1&take=2')), [
    'Taps at School',
    'Monthly Springs',
  ]);
});

test('Free-text filter: campaigns match by exact id, or by name or description in any case', async () => {
  const { items } = open();
  assert.deepEqual(names(await items('/api/campaign/list?skip=0&take=9&filter=103')), [
    'Monthly Springs',
  ]);
  assert.deepEqual(names(await items('/api/campaign/list?skip=0&take=9&filter=10')), []);
  assert.deepEqual(names(await items('/api/campaign/list?skip=0&take=9&filter=RIVER')), [
    'River Watch',
  ]);
  assert.deepEqual(names(await items('/api/campaign/list?skip=0&take=9&filter=washrooms')), [
    'Taps at School',
  ]);
});

test('Sorting: by the documented fields only, ascending unless descending is true', async () => {
  const { ask, items } = open();
  assert.deepEqual(names(await items('/api/campaign/list?skip=0&take=2&sortBy=givingGoal')), [
    'River Watch',
    'Flood Response',
  ]);
  assert.deepEqual(
    names(await items('/api/campaign/list?skip=0&take=2&sortBy=givingGoal&descending=true')),
    ['Legacy Circle', 'Monthly Springs'],
  );
  assert.deepEqual(names(await items('/api/campaign/list?skip=0&take=1&sortBy=name')), [
    'Flood Response',
  ]);
  assert.equal((await ask('/api/campaign/list?skip=0&take=1&sortBy=description')).status, 400);
});

test('Limits: every response carries the rate-limit headers, and past the limit requests receive 429', async () => {
  let time = Date.UTC(2026, 10, 21, 10, 30);
  const { ask } = open({ hourlyLimit: 2, now: () => new Date(time) });
  const state = (response: Response): (string | number | null)[] => [
    response.status,
    ...['Limit', 'Remaining', 'Reset'].map((name) => response.headers.get(`X-RateLimit-${name}`)),
  ];
  const reset = String(Date.UTC(2026, 10, 21, 11) / 1_000);
  assert.deepEqual(state(await ask('/api/campaign/list?skip=0&take=1')), [200, '2', '1', reset]);
  assert.deepEqual(state(await ask('/api/campaign/list')), [400, '2', '0', reset]);
  assert.deepEqual(state(await ask('/api/campaign/list?skip=0&take=1')), [429, '2', '0', reset]);
  time += 1_800_000;
  assert.deepEqual(state(await ask('/api/campaign/list?skip=0&take=1')).slice(0, 3), [
    200,
    '2',
    '1',
  ]);
  assert.equal(
    (await open().ask('/api/campaign/list?skip=0&take=1')).headers.get('X-RateLimit-Limit'),
    '1500',
  );
});

test('Activities: a recorded gift shows, found by origin and by its text', async () => {
  const { client } = open();
  await client.call('POST', '/sandbox/gifts', {
    reference: 'R1',
    summary: 'Ana Souza gave 75.00 USD once to Village wells (R1)',
  });
  await client.call('POST', '/sandbox/gifts', {
    reference: 'R2',
    summary: 'Lee Park gave 20.00 USD once to River watch (R2)',
  });
  const texts = async (request: object): Promise<unknown[]> =>
    (await client.activities({ skip: 0, take: 20, ...request })).body.items.map(
      ({ displayText }) => displayText,
    );
  assert.equal((await texts({})).length, 2);
  assert.deepEqual(await texts({ filter: 'village WELLS' }), [
    'Ana Souza gave 75.00 USD once to Village wells (R1)',
  ]);
  assert.equal((await texts({ selectedActivityOrigins: [ActivityOrigin.Giving] })).length, 2);
  assert.deepEqual(await texts({ selectedActivityOrigins: [ActivityOrigin.CRM] }), []);
  assert.deepEqual(await texts({ take: 0 }), []);
  await assert.rejects(
    client.activities({ skip: 0, take: 1, selectedActivityOrigins: [9 as ActivityOrigin] }),
    FundraisingError,
  );
});

test('what the specification does not show says so in its answers', async () => {
  const { ask } = open();
  assert.equal(
    (await ask('/sandbox/gifts?reference=x')).headers.get('X-Sandbox-Own'),
    'not in the specification',
  );
  assert.equal((await ask('/api/campaign/list?skip=0&take=1')).headers.get('X-Sandbox-Own'), null);
});

test('what the sandbox remembers survives a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'sandbox.sqlite');
  const before = open({ file });
  await before.client.call('POST', '/sandbox/gifts', { reference: 'R1', summary: 'a gift' });
  before.sandbox.close();
  const after = open({ file });
  assert.equal((await after.client.activities({ skip: 0, take: 9 })).body.items.length, 1);
  after.sandbox.close();
  await rm(folder, { recursive: true });
});

test('the client reads campaigns and the state of the limit', async () => {
  const { client } = open();
  const { body, rateLimit } = await client.campaigns({
    skip: 0,
    take: 1,
    filter: 'wells',
    sortBy: 'id',
    descending: true,
  });
  assert.deepEqual(names(body.items), ['Winter Wells']);
  assert.deepEqual(
    [rateLimit.limit, rateLimit.remaining, rateLimit.resetsAt && rateLimit.resetsAt > new Date()],
    [1_500, 1_499, true],
  );
});

test("the client's errors keep the platform's message and tell refusals from lost answers", async () => {
  const answering = (response: () => Response | Promise<Response>): FundraisingClient =>
    new FundraisingClient({
      baseUrl: 'https://sandbox.test',
      apiKey: 'canary-key',
      fetch: async () => response(),
    });
  const list = { skip: 0, take: 1 };
  await assert.rejects(
    answering(() =>
      Response.json(
        { message: 'used up' },
        { status: 429, headers: { 'X-RateLimit-Reset': '1795233600' } },
      ),
    ).campaigns(list),
    (error) =>
      error instanceof RateLimitedError &&
      error.message === 'used up' &&
      error.rateLimit.resetsAt?.getTime() === 1_795_233_600_000,
  );
  await assert.rejects(
    answering(() => Response.json({ message: 'no' }, { status: 403 })).campaigns(list),
    (error) => error instanceof FundraisingError && error.status === 403 && error.message === 'no',
  );
  await assert.rejects(
    answering(
      () => new Response(null, { status: 302, headers: { Location: 'https://evil.example' } }),
    ).campaigns(list),
    (error) => error instanceof FundraisingError && error.status === 302,
  );
  await assert.rejects(
    answering(() => Response.json({ items: [] }, { status: 202 })).campaigns(list),
    (error) => error instanceof FundraisingError && error.status === 202,
  );
  await assert.rejects(answering(() => new Response('<html>')).campaigns(list), NoAnswerError);
  await assert.rejects(answering(() => Response.json({})).campaigns(list), NoAnswerError);
  await assert.rejects(
    answering(() => {
      throw new TypeError('fetch failed');
    }).campaigns(list),
    (error) => error instanceof NoAnswerError && !error.message.includes('canary'),
  );
});

test('the client follows no redirect, so that the key goes nowhere else', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
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
    client.campaigns({ skip: 0, take: 1 }),
    (error) => error instanceof FundraisingError && error.status === 307,
  );
  assert.deepEqual(asked, ['/api/campaign/list?skip=0&take=1']);
  server.close();
});

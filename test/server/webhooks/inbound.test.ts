import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { test } from 'node:test';
import { createRandomGenerator } from '../../../src/sandbox/data/random.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { waitUntil } from '../../wait-until.ts';
import { LOOPBACK } from '../loopback.ts';
import { readProblem } from '../support.ts';
import { createFolder } from '../temporary-folder.ts';
import {
  buildInboundRow,
  createJsonBody,
  createXmlBody,
  listWebhooks,
  postWebhook,
  SECRET,
  startServerWithHook,
  V1_SECRET,
} from './inbound-support.ts';

test('calls the hook once per event, for 100 deliveries in any order and format', async () => {
  await using server = await startServerWithHook();
  const deliveries = Array.from({ length: 100 }, (_one, index) =>
    [0, 1, 2].map((event) =>
      index % 2 === 0
        ? () => postWebhook(server, createJsonBody(event, index % 4 === 0 ? 'Gift_Added' : 10))
        : () =>
            postWebhook(server, createXmlBody(event, index % 4 === 1 ? 'Gift_Added' : 10), {
              type: 'text/xml; charset=utf-8',
            }),
    ),
  ).flat();
  const random = createRandomGenerator(1);
  for (let index = deliveries.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [deliveries[index], deliveries[other]] = [deliveries[other]!, deliveries[index]!];
  }
  const statuses = await Promise.all(deliveries.map(async (deliver) => (await deliver()).status));
  assert.deepEqual([...new Set(statuses)], [204]);
  await waitUntil(async () =>
    (await listWebhooks(server)).every(({ status }) => status === 'handled'),
  );
  assert.deepEqual(
    server.hookCalls
      .map(({ payload, kind }) => [(payload as { eventId: string }).eventId, kind])
      .sort(),
    [
      ['e0', 'Gift_Added'],
      ['e1', 'Gift_Added'],
      ['e2', 'Gift_Added'],
    ],
  );
  assert.deepEqual(
    (await listWebhooks(server)).map(({ status }) => status),
    ['handled', 'handled', 'handled'],
  );
});

/** Returns the CPU time of this process so far, in milliseconds. */
function readCpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Sends requests one after the other over one connection. Returns the CPU time of each. */
async function sendOverSocket(
  address: string,
  requests: Iterable<{ readonly path: string; readonly type: string; readonly body: string }>,
): Promise<{ readonly statuses: Set<string>; readonly times: number[] }> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const statuses = new Set<string>();
  const times: number[] = [];
  for (const { path, type, body } of requests) {
    const startedAt = readCpuTime();
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    let response = '';
    for (;;) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      response += chunk.toString();
      const [head = '', content] = response.split('\r\n\r\n');
      const length = /^content-length: (\d+)$/im.exec(head)?.[1];
      if (content !== undefined && content.length >= Number(length)) break;
    }
    times.push(readCpuTime() - startedAt);
    statuses.add(response.slice(9, 12));
  }
  socket.end();
  return { statuses, times };
}

test('rejects 2,000 forged webhooks without storing them, in less than three times the CPU time of an unknown path', async (t) => {
  // Servers of other test files run in this process too. Theirs were prepared earlier.
  const prepare = t.mock.method(DatabaseSync.prototype, 'prepare');
  await using server = await startServerWithHook();
  const listener = await listen(server.handler.fetch, LOOPBACK);
  const paths = [
    `/platform-webhooks/lanternwell/${SECRET.slice(0, -1)}x`,
    `/platform-webhooks/unknown/${SECRET}`,
    `/platform-webhooks/lanternwell/${'x'.repeat(300)}`,
    '/platform-webhooks/lanternwell/',
    `/platform-webhooks/lanternwell/${SECRET}//`,
    '/webhooks/fundraising/lanternwell',
  ];
  const forged = Array.from({ length: 2_000 }, (_one, index) =>
    index % 2 === 0
      ? { type: 'application/json', body: createJsonBody(index) }
      : { type: 'application/xml', body: createXmlBody(index) },
  );
  const statements = (['all', 'get', 'iterate', 'run'] as const).map((method) =>
    t.mock.method(StatementSync.prototype, method),
  );
  // Alternate, so that garbage collection affects both kinds alike.
  const { statuses, times } = await sendOverSocket(
    listener.url,
    forged.flatMap((request, index) => [
      { ...request, path: paths[index % paths.length]! },
      { ...request, path: '/unknown' },
    ]),
  );
  const ownStatements = new Set<unknown>(prepare.mock.calls.map(({ result }) => result));
  const calls = statements.flatMap(({ mock }) =>
    mock.calls.filter((call) => ownStatements.has(call.this)),
  );
  t.mock.restoreAll();
  await listener.close();
  assert.deepEqual([times.length, [...statuses]], [4_000, ['404']]);
  // This takes seconds on a busy machine, and meanwhile the background worker looks for due work.
  assert.ok(calls.length < 50, `${calls.length} statements`);
  const [forgedTime, unknownTime] = [0, 1].map((remainder) =>
    times.filter((_time, index) => index % 2 === remainder).reduce((sum, time) => sum + time, 0),
  );
  assert.ok(
    forgedTime! < 3 * unknownTime!,
    `${forgedTime} ms, and ${unknownTime} ms for an unknown path`,
  );
  assert.deepEqual([await listWebhooks(server), server.hookCalls, server.calls], [[], [], []]);
  const donations = await server.database.db.selectFrom('donations').selectAll().execute();
  assert.deepEqual(donations, []);
});

test('responds to a wrong secret, organization, or method exactly as to an unknown path', async () => {
  await using server = await startServerWithHook();
  const responses = await Promise.all(
    [
      ['/unknown', {}],
      [`/platform-webhooks/lanternwell/${SECRET}x`, {}],
      [`/platform-webhooks/unknown/${SECRET}/`, {}],
      [`/platform-webhooks/__proto__/${SECRET}`, {}],
      [`/platform-webhooks/lanternwell/${SECRET}`, { method: 'GET' }],
      [`/platform-webhooks/lanternwell/${SECRET}/`, { method: 'GET' }],
      [`/platform-webhooks/lanternwell/${SECRET.toUpperCase()}`, { type: 'text/plain' }],
    ].map(async ([path, how]) => {
      const answer = await postWebhook(server, 'x'.repeat(600_000), {
        path: path as string,
        ...(how as object),
      });
      const { requestId, ...body } = await readProblem(answer);
      assert.ok(requestId);
      return JSON.stringify([answer.status, body, [...answer.headers.keys()].sort()]);
    }),
  );
  assert.equal(new Set(responses).size, 1, responses.join('\n'));
  assert.match(responses[0]!, /^\[404,/);
});

test('accepts a trailing slash, and logs the route without the secret, even for a misspelled path', async () => {
  await using server = await startServerWithHook(() => {
    throw new Error('canary-message');
  });
  for (const path of [
    `/platform-webhooks/lanternwell/${SECRET}`,
    `/platform-webhooks/lanternwell/${SECRET}/`,
    `/Platform-Webhooks/lanternwell/${SECRET}`,
    `/give//platform-webhooks/lanternwell/${SECRET}`,
    `/platform-webhooks%2Flanternwell%2F${SECRET}`,
    `/platform%2Dwebhooks/lanternwell/${SECRET}`,
    `/platform-webhooks/${SECRET}`,
  ])
    await postWebhook(server, createJsonBody(1), { path });
  await postWebhook(server, '{', {});
  const withSlash = { path: `/platform-webhooks/lanternwell/${SECRET}/` };
  assert.equal((await postWebhook(server, createJsonBody(2), withSlash)).status, 204);
  assert.equal((await postWebhook(server, 'x'.repeat(600_000), withSlash)).status, 413);
  assert.equal((await listWebhooks(server)).length, 2);
  await waitUntil(() =>
    server.logLines.some((line) => line.includes('the hook for inbound webhooks')),
  );
  const requests = server.logLines.filter((line) => line.includes('"milliseconds"'));
  assert.equal(requests.length, 10);
  for (const line of server.logLines) assert.doesNotMatch(line, /canary|3f9d0c2b/);
  assert.deepEqual(
    [requests[0]!, ...requests.slice(-2)].map((line) => /"route":.*?"status":\d+/.exec(line)![0]),
    [204, 204, 413].map(
      (status) => `"route":"/platform-webhooks/:organization/:secret","status":${status}`,
    ),
  );
});

test('rejects unreadable webhooks with the reason, and does not store them', async () => {
  await using server = await startServerWithHook();
  for (const [name, body, type, status, code] of [
    ['broken JSON', '{"eventId":', 'application/json', 400, 'invalid-payload'],
    ['a list', '[]', 'application/json', 400, 'invalid-payload'],
    ['broken XML', '<event><eventId>1</event>', 'application/xml', 400, 'invalid-payload'],
    [
      'XML with a document type',
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><event><eventId>&x;</eventId></event>',
      'application/xml',
      400,
      'invalid-payload',
    ],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'application/json', 400, 'invalid-payload'],
    ['a form', 'eventId=1', 'application/x-www-form-urlencoded', 415, 'content-type-unsupported'],
    [
      'more than 256 KiB',
      `{"a":"${'x'.repeat(262_144)}"}`,
      'application/json',
      413,
      'payload-too-large',
    ],
  ] as const) {
    const answer = await postWebhook(server, body, { type });
    assert.deepEqual([answer.status, (await readProblem(answer)).code], [status, code], name);
  }
  assert.deepEqual(await listWebhooks(server), []);
  assert.equal(
    server.logLines.filter(
      (line) => line.includes('cannot read an inbound webhook') && line.includes('lanternwell'),
    ).length,
    6,
  );
});

test('treats the same ID with another type or from another platform as another event', async () => {
  await using server = await startServerWithHook();
  await postWebhook(server, createJsonBody(1, 'Gift_Added'));
  await postWebhook(server, createJsonBody(1, 'Gift_Modified'));
  const path = `/platform-webhooks/lanternwell/${V1_SECRET}`;
  for (const body of [
    '{"type":1,"eventId":"e1"}',
    '{"type":"Donation.Created"}',
    '{"type":1,"eventId":"e1"}',
  ])
    await postWebhook(server, body, { path });
  await waitUntil(() => server.hookCalls.length === 4);
  assert.deepEqual(server.hookCalls.map(({ source, kind }) => `${source} ${kind}`).sort(), [
    'donation-v1 Donation.Created',
    'donation-v1 Donation.Created',
    'fundraising Gift_Added',
    'fundraising Gift_Modified',
  ]);
});

test('does not change the status of a donation because of a webhook', async () => {
  await using server = await startServerWithHook(undefined, {
    intercept: async (request, next) =>
      request.url.endsWith('/confirm') ? Promise.reject(new TypeError('lost')) : next(request),
  });
  const { reference, status } = await server.makeDonation();
  const before = await server.repository.findByReference(reference);
  const calls = server.calls.length;
  assert.notEqual(status, 'succeeded');
  await postWebhook(
    server,
    JSON.stringify({
      eventId: 'e1',
      eventName: 'Gift_Added',
      gift: { reference, status: 1, statusName: 'Approved', transactionId: before?.paymentId },
    }),
  );
  await waitUntil(() => server.hookCalls.length === 1);
  assert.deepEqual(
    [await server.repository.findByReference(reference), server.calls.length],
    [before, calls],
  );
});

test('calls the hook after a restart for a webhook that was still pending', async () => {
  const database = join(createFolder(), 'donations.sqlite');
  const time = Date.now();
  const first = await startServerWithHook(
    () => {
      throw new Error('not now');
    },
    { database, now: () => time },
  );
  await postWebhook(first, createJsonBody(1));
  await waitUntil(async () => (await listWebhooks(first))[0]?.attempts === 1);
  await first[Symbol.asyncDispose]();
  await using second = await startServerWithHook(undefined, { database, now: () => time + 2_000 });
  second.handler.start();
  await waitUntil(() => second.hookCalls.length === 1);
});

test('responds with 503 to a new webhook while 32 MiB of webhooks are pending, but accepts a known one', async () => {
  await using server = await startServerWithHook(() => {
    throw new Error('closed');
  });
  await postWebhook(server, createJsonBody(1));
  await server.database.db
    .insertInto('inboundWebhooks')
    .values(
      buildInboundRow('large', {
        organization: 'lanternwell',
        bytes: 32 * 1_048_576,
        status: 'pending',
        receivedAt: 0,
      }),
    )
    .execute();
  assert.equal((await postWebhook(server, createJsonBody(2))).status, 503);
  assert.equal((await postWebhook(server, createJsonBody(1))).status, 204);
  assert.equal((await listWebhooks(server)).length, 2);
  assert.ok(server.logLines.some((line) => line.includes('rejected an inbound webhook')));
});

test('leaves the hook to runDueJobs if there are no background jobs', async () => {
  await using server = await startServerWithHook(undefined, { hasBackgroundJobs: false });
  await postWebhook(server, createJsonBody(1));
  // A later webhook at a server with background jobs reaches its hook.
  await using other = await startServerWithHook();
  await postWebhook(other, createJsonBody(1));
  await waitUntil(() => other.hookCalls.length === 1);
  const before = server.hookCalls.length;
  await server.handler.runJobs();
  assert.deepEqual([before, server.hookCalls.length], [0, 1]);
});

test('keeps pending webhooks if their hook is removed from the configuration', async () => {
  let time = Date.now();
  await using server = await startServerWithHook(
    () => {
      throw new Error('not now');
    },
    { now: () => time },
  );
  await postWebhook(server, createJsonBody(1));
  await waitUntil(async () => (await listWebhooks(server))[0]?.attempts === 1);
  const [organization] = server.organizations.all;
  const webhookSources = organization!.webhookSources!.map((source) => ({
    ...source,
    hook: undefined,
  }));
  server.replaceOrganizations([{ ...organization!, webhookSources }]);
  assert.deepEqual(
    [
      await server.inboundWebhooks.inbox.listDueWebhooks('lanternwell', [], 10),
      await server.inboundWebhooks.inbox.findNextDueTime('lanternwell', []),
    ],
    [[], undefined],
  );
  time += 60_000;
  await server.handler.runJobs();
  assert.deepEqual(
    (await listWebhooks(server)).map(({ status, attempts }) => [status, attempts]),
    [['pending', 1]],
  );
  assert.deepEqual(
    server.logLines.filter((line) => line.includes('cannot read or write the database')),
    [],
  );
});

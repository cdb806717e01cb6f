import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InboundWebhookRow } from '../../../src/server/database/schema.ts';
import { identifyEvent } from '../../../src/server/webhooks/inbound/identify-event.ts';
import { InboxFullError, WebhookInbox } from '../../../src/server/webhooks/inbound/inbox.ts';
import { waitUntil } from '../../wait-until.ts';
import { openTestDatabase } from '../test-database.ts';
import {
  buildInboundRow,
  createJsonBody,
  createXmlBody,
  listWebhooks,
  postWebhook,
  startServerWithHook,
  WEBHOOK,
} from './inbound-support.ts';

test('stores events without an ID or with an unknown type', async () => {
  await using server = await startServerWithHook();
  for (const body of [
    '{"eventName":"Pledge_Added","a":1}',
    '{"eventName":"Pledge_Added","a":1}',
    '{"eventName":"Pledge_Added","a":2}',
    '{"eventName":{"\\u0000":1},"eventId":"\\u0000"}',
    '{"eventName":"Gift_\\u0000\\u202eAdded","eventId":7}',
  ])
    assert.equal((await postWebhook(server, body)).status, 204);
  assert.deepEqual((await listWebhooks(server)).map(({ kind }) => kind).sort(), [
    'Gift_Added',
    'Pledge_Added',
    'Pledge_Added',
    null,
  ]);
});

test('retries a failed hook until it succeeds, without delaying the response or other events', async () => {
  let time = Date.now();
  let fails = true;
  await using server = await startServerWithHook(
    (event) => {
      if (fails && (event.payload as { eventId: string }).eventId === 'e1')
        throw new Error('the mailing list is full');
    },
    { now: () => time },
  );
  assert.deepEqual(
    [
      (await postWebhook(server, createJsonBody(1))).status,
      (await postWebhook(server, createXmlBody(2), { type: 'application/xml' })).status,
    ],
    [204, 204],
  );
  await waitUntil(async () => {
    const rows = await listWebhooks(server);
    return (
      rows.some(({ attempts }) => attempts === 1) && rows.some(({ status }) => status === 'handled')
    );
  });
  const [failing, other] = await listWebhooks(server);
  assert.partialDeepStrictEqual(failing, {
    status: 'pending',
    attempts: 1,
    lastError: 'Error: the mailing list is full',
    nextRunAt: time + 2_000,
  });
  assert.equal(other!.status, 'handled');
  fails = false;
  time += 2_000;
  server.handler.start();
  await waitUntil(() => server.hookCalls.length === 2);
  const retried = server.hookCalls.at(-1)!;
  assert.deepEqual(
    [retried.id, retried.body, retried.kind, retried.organization, retried.receivedAt.getTime()],
    [failing!.id, createJsonBody(1), 'Gift_Added', 'lanternwell', failing!.receivedAt],
  );
  await waitUntil(async () =>
    (await listWebhooks(server)).every(
      ({ status, lastError: error }) => status === 'handled' && error === null,
    ),
  );
});

test('aborts a hook at its time limit, and retries it', async () => {
  let isAborted = false;
  let time = Date.now();
  await using server = await startServerWithHook(
    (_event, { signal }) => {
      signal.addEventListener('abort', () => {
        isAborted = true;
      });
      return isAborted ? undefined : new Promise(() => undefined);
    },
    { now: () => time, hookTimeout: 30 },
  );
  await postWebhook(server, createJsonBody(1));
  await waitUntil(
    async () =>
      (await listWebhooks(server))[0]?.lastError ===
      'Error: the hook took longer than 0.03 seconds',
  );
  assert.ok(isAborted);
  time += 2_000;
  server.handler.start();
  await waitUntil(() => server.hookCalls.length === 1);
});

test('deletes webhooks after 30 days without a restart', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let time = Date.now();
  await using server = await startServerWithHook(
    () => {
      throw new Error('never');
    },
    { now: () => time },
  );
  server.handler.start();
  await postWebhook(server, createJsonBody(1));
  time += 1;
  await postWebhook(server, createJsonBody(2));
  time += 30 * 86_400_000 - 1;
  t.mock.timers.tick(3_600_000);
  await waitUntil(async () => (await listWebhooks(server)).length === 1);
  assert.ok((await listWebhooks(server))[0]!.body.includes('e2'));
});

test('WebhookInbox deletes the oldest handled webhooks above 32 MiB, and rejects new ones if all are pending', async () => {
  await using database = await openTestDatabase(undefined, () => 1_000);
  const inbox = new WebhookInbox(database);
  const webhook = { ...WEBHOOK, organization: 'o', hasHook: true };
  const insertWebhooks = (...statuses: InboundWebhookRow['status'][]) =>
    database.db
      .insertInto('inboundWebhooks')
      .values(
        statuses.map((status, receivedAt) =>
          buildInboundRow(`${status} ${receivedAt}`, {
            organization: 'o',
            bytes: 1_048_576,
            status,
            receivedAt,
          }),
        ),
      )
      .execute();
  const listIds = async () => (await inbox.listWebhooks(100)).map(({ id }) => id);
  await insertWebhooks('handled', 'stored', ...Array<'pending'>(30).fill('pending'));
  assert.equal(await inbox.insertIfNew({ ...webhook, id: 'new', body: '"é"' }), true);
  assert.equal((await inbox.findById('new'))?.bytes, 4);
  assert.deepEqual(
    (await listIds()).filter((id) => !id.startsWith('pending')),
    ['new'],
  );
  await insertWebhooks('pending', 'pending');
  await assert.rejects(inbox.insertIfNew({ ...webhook, id: 'newer' }), InboxFullError);
  const ids = await listIds();
  assert.deepEqual([ids.length, ids.includes('newer')], [33, false]);
  assert.equal(await inbox.insertIfNew({ ...webhook, id: 'new' }), false);
});

test('WebhookInbox keeps the webhooks of organizations apart', async () => {
  let time = 1_000;
  await using database = await openTestDatabase(undefined, () => time);
  const inbox = new WebhookInbox(database);
  const source = { source: 'fundraising', kindPath: 'eventName', idPath: 'eventId' } as const;
  const text = createJsonBody(1);
  const insertWebhook = (organization: string, body = text): Promise<boolean> =>
    inbox.insertIfNew({
      ...identifyEvent(organization, source, {
        payload: JSON.parse(text) as Readonly<Record<string, unknown>>,
        text,
      }),
      organization,
      source: 'fundraising',
      format: 'json',
      body,
      hasHook: true,
    });
  assert.deepEqual(
    [await insertWebhook('one'), await insertWebhook('two'), await insertWebhook('one')],
    [true, true, false],
  );
  const [due] = await inbox.listDueWebhooks('one', ['fundraising'], 10);
  assert.deepEqual(
    [due?.organization, (await inbox.listDueWebhooks('one', ['fundraising'], 10)).length],
    ['one', 1],
  );
  time += 1;
  await inbox.markHandled(due!);
  assert.equal(await inbox.findNextDueTime('one', ['fundraising']), undefined);
  assert.equal(await inbox.findNextDueTime('two', ['fundraising']), 1_000);
});

test('WebhookInbox counts a failed hook call, unless the webhook has been handled since', async () => {
  await using database = await openTestDatabase(undefined, () => 1_000);
  const inbox = new WebhookInbox(database);
  await inbox.insertIfNew({ ...WEBHOOK, id: 'a', organization: 'o', hasHook: true });
  for (const [attempts, dueAt] of [
    [1, 3_000],
    [2, 5_000],
  ] as const) {
    await inbox.postponeHookCall((await inbox.findById('a'))!, 'no space', dueAt);
    const row = await inbox.findById('a');
    assert.deepEqual(
      [row?.attempts, row?.nextRunAt, row?.lastError],
      [attempts, dueAt, 'no space'],
    );
  }
  const row = (await inbox.findById('a'))!;
  await inbox.markHandled(row);
  await inbox.postponeHookCall(row, 'too late', 9_000);
  const handled = await inbox.findById('a');
  assert.deepEqual([handled?.status, handled?.lastError], ['handled', null]);
});

test('WebhookInbox limits the number of webhooks of each organization', async () => {
  await using database = await openTestDatabase(undefined, () => 1_000_000);
  const inbox = new WebhookInbox(database);
  const rows = (organization: string, count: number) =>
    Array.from({ length: count }, (_, receivedAt) =>
      buildInboundRow(`${organization} ${receivedAt}`, {
        organization,
        bytes: 2,
        status: 'handled',
        receivedAt,
      }),
    );
  const values = [...rows('full', 10_000), ...rows('other', 100)];
  for (let start = 0; start < values.length; start += 1_000)
    await database.db
      .insertInto('inboundWebhooks')
      .values(values.slice(start, start + 1_000))
      .execute();
  await inbox.insertIfNew({ ...WEBHOOK, organization: 'full', id: 'new', hasHook: false });
  const counts = await database.db
    .selectFrom('inboundWebhooks')
    .groupBy('organization')
    .orderBy('organization')
    .select(({ fn }) => ['organization', fn.countAll<number>().as('count')])
    .execute();
  assert.deepEqual(
    counts.map(({ organization, count }) => [organization, count]),
    [
      ['full', 9_901],
      ['other', 100],
    ],
  );
  assert.equal(await inbox.findById('full 0'), undefined);
  assert.ok(await inbox.findById('new'));
});

test('retries a failed hook at least once an hour', async () => {
  const now = Date.now();
  await using server = await startServerWithHook(
    () => {
      throw new Error('the mailing list is full');
    },
    { now: () => now, hasBackgroundJobs: false },
  );
  await postWebhook(server, createJsonBody(1));
  await server.database.db.updateTable('inboundWebhooks').set({ attempts: 30 }).execute();
  await server.handler.runJobs();
  const [row] = await listWebhooks(server);
  assert.deepEqual([row?.attempts, row?.nextRunAt], [31, now + 3_600_000]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InboxFullError, WebhookInbox } from '../../../src/server/webhooks/inbound/inbox.ts';
import type { InboundWebhookRow } from '../../../src/server/database/schema.ts';
import { waitUntil } from '../../wait-until.ts';
import {
  createJsonBody,
  createXmlBody,
  listWebhooks,
  startServerWithHook,
  postWebhook,
} from './inbound-support.ts';
import { openTestDatabase } from '../test-database.ts';

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
  assert.deepEqual(
    [
      failing!.status,
      failing!.attempts,
      failing!.last_error,
      failing!.next_run_at - time,
      other!.status,
    ],
    ['pending', 1, 'Error: the mailing list is full', 2_000, 'handled'],
  );
  fails = false;
  time += 2_000;
  server.handler.start();
  await waitUntil(() => server.hookCalls.length === 2);
  const retried = server.hookCalls.at(-1)!;
  assert.deepEqual(
    [retried.id, retried.body, retried.kind, retried.organization, retried.receivedAt.getTime()],
    [failing!.id, createJsonBody(1), 'Gift_Added', 'lanternwell', failing!.received_at],
  );
  await waitUntil(async () =>
    (await listWebhooks(server)).every(
      ({ status, last_error: error }) => status === 'handled' && error === null,
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
      (await listWebhooks(server))[0]?.last_error ===
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
  const webhook = {
    organization: 'o',
    source: 'fundraising',
    kind: null,
    format: 'json',
    body: '{}',
  } as const;
  const insertWebhooks = (...statuses: InboundWebhookRow['status'][]) =>
    database.db
      .insertInto('inbound_webhooks')
      .values(
        statuses.map((status, index) => ({
          ...webhook,
          id: `${status} ${index}`,
          bytes: 1_048_576,
          status,
          attempts: 0,
          next_run_at: 0,
          last_error: null,
          received_at: index,
        })),
      )
      .execute();
  const listIds = async () => (await inbox.listWebhooks(100)).map(({ id }) => id);
  await insertWebhooks('handled', 'stored', ...Array<'pending'>(30).fill('pending'));
  assert.equal(await inbox.insertIfNew({ ...webhook, id: 'new', hasHook: true }), true);
  assert.deepEqual(
    (await listIds()).filter((id) => !id.startsWith('pending')),
    ['new'],
  );
  await insertWebhooks('pending', 'pending');
  await assert.rejects(
    inbox.insertIfNew({ ...webhook, id: 'newer', hasHook: true }),
    InboxFullError,
  );
  const ids = await listIds();
  assert.deepEqual([ids.length, ids.includes('newer')], [33, false]);
  assert.equal(await inbox.insertIfNew({ ...webhook, id: 'new', hasHook: true }), false);
});

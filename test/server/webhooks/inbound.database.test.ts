import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InboxFullError, WebhookInbox } from '../../../src/server/webhooks/inbound/inbox.ts';
import type { InboundWebhookRow } from '../../../src/server/database/schema.ts';
import { waitUntil } from '../../wait-until.ts';
import { asJson, asXml, kept, openHookedDesk, send } from './inbound-support.ts';
import { openTestDatabase } from '../test-database.ts';

test('an event without its id, or without a type that the interface knows, is kept all the same', async () => {
  await using desk = await openHookedDesk();
  for (const body of [
    '{"eventName":"Pledge_Added","a":1}',
    '{"eventName":"Pledge_Added","a":1}',
    '{"eventName":"Pledge_Added","a":2}',
    '{"eventName":{"\\u0000":1},"eventId":"\\u0000"}',
    '{"eventName":"Gift_\\u0000\\u202eAdded","eventId":7}',
  ])
    assert.equal((await send(desk, body)).status, 204);
  assert.deepEqual((await kept(desk)).map(({ kind }) => kind).sort(), [
    'Gift_Added',
    'Pledge_Added',
    'Pledge_Added',
    null,
  ]);
});

test('a hook that fails is called again until it does not; the webhook is answered 204, and other events are not kept waiting', async () => {
  let time = Date.now();
  let fails = true;
  await using desk = await openHookedDesk(
    (event) => {
      if (fails && (event.payload as { eventId: string }).eventId === 'e1')
        throw new Error('the list of mails is full');
    },
    { now: () => time },
  );
  assert.deepEqual(
    [
      (await send(desk, asJson(1))).status,
      (await send(desk, asXml(2), { type: 'application/xml' })).status,
    ],
    [204, 204],
  );
  await waitUntil(async () => {
    const rows = await kept(desk);
    return (
      rows.some(({ attempts }) => attempts === 1) && rows.some(({ status }) => status === 'handled')
    );
  });
  const [failing, other] = await kept(desk);
  assert.deepEqual(
    [
      failing!.status,
      failing!.attempts,
      failing!.last_error,
      failing!.next_run_at - time,
      other!.status,
    ],
    ['pending', 1, 'Error: the list of mails is full', 2_000, 'handled'],
  );
  fails = false;
  time += 2_000;
  desk.handler.start();
  await waitUntil(() => desk.heard.length === 2);
  const [again] = desk.heard.slice(-1);
  assert.deepEqual(
    [again!.id, again!.body, again!.kind, again!.organization, again!.receivedAt.getTime()],
    [failing!.id, asJson(1), 'Gift_Added', 'lanternwell', failing!.received_at],
  );
  await waitUntil(async () =>
    (await kept(desk)).every(({ status, last_error: why }) => status === 'handled' && why === null),
  );
});

test('a hook that hangs is given up after its time, told so by its signal, and called again', async () => {
  let isAborted = false;
  let time = Date.now();
  await using desk = await openHookedDesk(
    (_event, { signal }) => {
      signal.addEventListener('abort', () => {
        isAborted = true;
      });
      return isAborted ? undefined : new Promise(() => undefined);
    },
    { now: () => time, hookTimeout: 30 },
  );
  await send(desk, asJson(1));
  await waitUntil(
    async () =>
      (await kept(desk))[0]?.last_error === 'Error: the hook took longer than 0.03 seconds',
  );
  assert.ok(isAborted);
  time += 2_000;
  desk.handler.start();
  await waitUntil(() => desk.heard.length === 1);
});

test('webhooks are deleted after 30 days, by a server that nobody touches', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let time = Date.now();
  await using desk = await openHookedDesk(
    () => {
      throw new Error('never');
    },
    { now: () => time },
  );
  desk.handler.start();
  await send(desk, asJson(1));
  time += 1;
  await send(desk, asJson(2));
  time += 30 * 86_400_000 - 1;
  t.mock.timers.tick(3_600_000);
  await waitUntil(async () => (await kept(desk)).length === 1);
  assert.ok((await kept(desk))[0]!.body.includes('e2'));
});

test('an organization that keeps 32 MiB loses its oldest handled webhooks, and takes no new one while all of them wait', async () => {
  await using database = await openTestDatabase();
  const inbox = new WebhookInbox(database, () => 1_000);
  const webhook = {
    organization: 'o',
    source: 'fundraising',
    kind: null,
    format: 'json',
    body: '{}',
  } as const;
  const insert = (...states: InboundWebhookRow['status'][]) =>
    database.db
      .insertInto('inbound_webhooks')
      .values(
        states.map((status, index) => ({
          ...webhook,
          id: `${status} ${index}`,
          bytes: 1_048_576,
          status: status,
          attempts: 0,
          next_run_at: 0,
          last_error: null,
          received_at: index,
        })),
      )
      .execute();
  const idsOf = async () => (await inbox.list(100)).map(({ id }) => id);
  await insert('handled', 'stored', ...Array<'pending'>(30).fill('pending'));
  assert.equal(await inbox.insertIfNew({ ...webhook, id: 'new', hasHook: true }), true);
  assert.deepEqual(
    (await idsOf()).filter((id) => !id.startsWith('pending')),
    ['new'],
  );
  await insert('pending', 'pending');
  await assert.rejects(
    inbox.insertIfNew({ ...webhook, id: 'newer', hasHook: true }),
    InboxFullError,
  );
  const ids = await idsOf();
  assert.deepEqual([ids.length, ids.includes('newer')], [33, false]);
  assert.equal(await inbox.insertIfNew({ ...webhook, id: 'new', hasHook: true }), false);
});

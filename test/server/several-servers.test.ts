/**
 * Several servers over one PostgreSQL. Where the run has none, several servers are refused, and
 * there is nothing to see here.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { test as always } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { createSandbox } from '../../src/sandbox/index.ts';
import { Journal } from '../../src/server/journal.ts';
import { openPostgres } from '../../src/server/store.ts';
import { startFakeStripe } from '../fake-stripe/index.ts';
import { openStripeDesk } from './payments-support.ts';
import { databaseUrl, inStore, isShared, openTestStore } from './store.ts';
import {
  newKey,
  openDesk,
  outcomeOf,
  PLATFORM_KEY,
  SECRET_KEY,
  type Desk,
  type DeskOptions,
} from './support.ts';

const test: (name: string, work: () => Promise<void>) => void = isShared
  ? (name, work) => {
      void always(name, { timeout: 60_000 }, work);
    }
  : () => undefined;

const END_CONNECTIONS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

/** An answer that never comes, until the test is over. */
function silence(): { readonly answer: Promise<Response>; readonly end: () => void } {
  let end = (): void => undefined;
  const answer = new Promise<Response>((_resolve, reject) => {
    end = () => {
      reject(new TypeError('the server is gone'));
    };
  });
  answer.catch(() => undefined);
  return { answer, end };
}

interface Servers extends AsyncDisposable {
  readonly desks: readonly [Desk, Desk];
  readonly store: string;
}

/** Two servers of one organisation, over one store, in front of one platform and processor. */
async function openServers(first: DeskOptions = {}, second: DeskOptions = first): Promise<Servers> {
  const store = randomUUID();
  const sandbox = createSandbox({
    platformKey: PLATFORM_KEY,
    secretKey: SECRET_KEY,
    hourlyLimit: 100_000,
    ...(first.now && { now: () => new Date(first.now!()) }),
  });
  const desks = [
    await openDesk({ ...first, store, sandbox }),
    await openDesk({ ...second, store, sandbox }),
  ] as const;
  return {
    desks,
    store,
    [Symbol.asyncDispose]: async () => {
      for (const desk of desks) await desk[Symbol.asyncDispose]();
    },
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await isSo()) return;
    await setTimeout(50);
  }
  assert.fail('it did not come true within 10 s');
}

/** How often each gift or renewal was sent to the platform, by either server. */
function sentBy(desks: readonly Desk[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const body of desks.flatMap(({ sent }) => sent)) {
    const { reference } = JSON.parse(body) as { reference: string };
    times.set(reference, (times.get(reference) ?? 0) + 1);
  }
  return times;
}

test('50 parallel submissions of one key over two servers: 1 charge, 1 gift, 50 equal outcomes', async () => {
  await using servers = await openServers();
  const { desks } = servers;
  const request = await desks[0].request();
  const key = newKey();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, async (_one, index) =>
      outcomeOf(await desks[index % 2]!.post(request, { key })),
    ),
  );
  assert.deepEqual(
    [...new Set(outcomes.map(({ reference, state }) => `${reference} ${state}`))],
    [`${outcomes[0]!.reference} succeeded`],
  );
  assert.deepEqual(
    [(await desks[0].charges(outcomes[0]!.reference)).length, (await desks[0].activities()).length],
    [1, 1],
  );
});

test('100 gifts over two servers, whose outboxes both run: each is charged once and recorded once, with one call', async () => {
  await using servers = await openServers();
  const { desks } = servers;
  for (const { handler } of desks) handler.start();
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, async (_one, index) =>
      outcomeOf(
        await desks[index % 2]!.post(
          await desks[index % 2]!.request({ donor: { email: `${index}@example.org` } }),
        ),
      ),
    ),
  );
  assert.ok(outcomes.every(({ state }) => state === 'succeeded'));
  await until(async () => (await desks[0].activities()).length === 100);
  const times = sentBy(desks);
  assert.deepEqual([times.size, Math.max(...times.values())], [100, 1]);
  for (const { reference } of outcomes) assert.equal((await desks[0].charges(reference)).length, 1);
  assert.equal(
    desks.flatMap(({ calls }) => calls).filter((call) => call.startsWith('GET /sandbox/gifts'))
      .length,
    0,
  );
});

test('a server that dies while it records a gift: the other leaves it alone for a minute, then looks it up and records it once', async () => {
  let time = Date.now();
  const death = silence();
  await using servers = await openServers(
    {
      now: () => time,
      between: (request, next) =>
        request.method === 'POST' && request.url.endsWith('/sandbox/gifts')
          ? death.answer
          : next(request),
    },
    { now: () => time },
  );
  const [dying, other] = servers.desks;
  const { state } = await outcomeOf(await dying.post(await dying.request()));
  assert.equal(state, 'succeeded');
  other.handler.start();
  await setTimeout(300);
  assert.deepEqual([other.sent.length, (await other.activities()).length], [0, 0]);
  time += 61_000;
  other.handler.start();
  await until(async () => (await other.activities()).length === 1);
  assert.deepEqual(
    [other.sent.length, other.calls.filter((call) => call.startsWith('GET /sandbox/gifts')).length],
    [1, 1],
  );
  death.end();
});

test('a server that dies before it charges: the other goes on when its donor comes back, and charges once', async () => {
  let time = Date.now();
  const death = silence();
  await using servers = await openServers(
    {
      now: () => time,
      between: (request, next) =>
        request.url.endsWith('/processor/payments') ? death.answer : next(request),
    },
    { now: () => time },
  );
  const [dying, other] = servers.desks;
  const key = newKey();
  const request = await dying.request();
  const lost = dying.post(request, { key });
  await until(async () => (await other.ask(key)).status === 202);
  time += 21_000;
  const { state, reference } = await outcomeOf(await other.post(request, { key }));
  assert.deepEqual([state, (await other.charges(reference)).length], ['succeeded', 1]);
  death.end();
  assert.equal((await outcomeOf(await lost)).state, 'succeeded');
  assert.equal((await other.charges(reference)).length, 1);
});

test('a server that was held up while it had a gift, and lost it to another, no longer sends it', async () => {
  let time = 1_000;
  await using store = await openTestStore();
  const [one, other] = [new Journal(store, () => time), new Journal(store, () => time)];
  await one.accept({
    reference: 'A',
    key_hash: 'k',
    fingerprint: 'f',
    organization: 'o',
    gift: '{}',
    dueAt: 0,
  });
  await one.charged('A', { payment_id: 'pi_1', subscription_id: null, payment_method: 0 });
  const [due] = await one.events.due('o', 10);
  const mine = (await one.events.claim(due!))!;
  assert.equal(await other.events.claim(due!), undefined);
  time += 61_000;
  const theirs = (await other.events.claim((await other.events.due('o', 10))[0]!))!;
  assert.equal(await one.events.sendingBegins(mine), false);
  assert.equal(await other.events.sendingBegins(theirs), true);
  await one.events.postponed(mine, { dueAt: 0, error: 'late', sendingBeganAt: null });
  const {
    due_at: dueAt,
    sending_began_at: beganAt,
    last_error: error,
  } = (await one.events.byId('gift A'))!;
  assert.deepEqual([dueAt, beganAt, error], [theirs.due_at, time, null]);
});

test('renewals that the processor tells to both servers at once, three times each: each is one gift, numbered once', async () => {
  const store = randomUUID();
  const fake = await startFakeStripe();
  const sandbox = createSandbox({ platformKey: PLATFORM_KEY, secretKey: SECRET_KEY });
  await using one = await openStripeDesk({ store, sandbox }, fake);
  await using other = await openStripeDesk({ store, sandbox }, fake);
  const { reference } = await one.give(undefined, { frequency: 'monthly' });
  const subscription = (await one.journal.byReference(reference))!.subscription_id!;
  for (let month = 0; month < 3; month += 1) fake.renew(subscription);
  const statuses = await Promise.all(
    [one, other].flatMap((desk) => [
      desk.tell({ times: 2, order: 'shuffled' }),
      desk.tell({ order: 'reversed' }),
    ]),
  );
  assert.deepEqual([...new Set(statuses.flat())], [204]);
  const expected = [reference, ...[2, 3, 4].map((number) => `${reference}-${number}`)];
  await until(async () => sentBy([one, other]).size >= expected.length);
  await setTimeout(200);
  const times = sentBy([one, other]);
  assert.deepEqual([[...times.keys()].sort(), Math.max(...times.values())], [expected, 1]);
  await fake.close();
});

test('PostgreSQL ends every connection, again and again, while gifts are given: the servers go on, and each gift is charged and recorded once, or declined and never charged', async () => {
  let moved = 0;
  let done = 0;
  await using servers = await openServers({ now: () => Date.now() + moved });
  const { desks, store } = servers;
  const keys = Array.from({ length: 60 }, newKey);
  for (const { handler } of desks) handler.start();
  const giving = Promise.all(
    keys.map(async (key, index) => {
      const desk = desks[index % 2]!;
      const request = await desk.request({ donor: { email: `${index}@example.org` } });
      await setTimeout(index * 15);
      for (let tries = 0; tries < 300; tries += 1) {
        const { status } = await desk.post(request, { key });
        if (status === 200 || status === 402) break;
        assert.ok([202, 500, 503].includes(status), String(status));
        await setTimeout(50);
      }
      done += 1;
    }),
  );
  for (let end = 0; end < 6; end += 1) {
    await inStore(store, END_CONNECTIONS);
    await setTimeout(150);
  }
  for (let tries = 0; tries < 200 && done < keys.length; tries += 1) {
    moved += 61_000;
    await setTimeout(100);
  }
  await giving;
  const outcomes = await Promise.all(keys.map(async (key) => outcomeOf(await desks[0].ask(key))));
  const succeeded = outcomes.filter(({ state }) => state === 'succeeded');
  assert.ok(succeeded.length > 30, String(succeeded.length));
  for (const { reference, state } of outcomes) {
    assert.match(state, /^(succeeded|declined)$/);
    assert.equal(
      (await desks[0].charges(reference)).filter((charge) => charge.state === 'succeeded').length,
      state === 'succeeded' ? 1 : 0,
    );
  }
  await until(async () => {
    moved += 61_000;
    return (await desks[0].activities()).length >= succeeded.length;
  });
  assert.equal((await desks[0].activities()).length, succeeded.length);
});

test('a transaction whose connection breaks fails, and the server goes on', async () => {
  const file = randomUUID();
  await using store = await openTestStore(file);
  const journal = new Journal(store);
  await assert.rejects(
    store.writer.write(async (transaction) => {
      await transaction.updateTable('gifts').set({ attempts: 0 }).execute();
      await inStore(file, END_CONNECTIONS);
      await setTimeout(50);
      await transaction.selectFrom('gifts').selectAll().execute();
    }),
  );
  assert.equal(await journal.byReference('A'), undefined);
});

test('four servers that start at once over an empty database all find its tables', async () => {
  const file = randomUUID();
  const stores = await Promise.all([1, 2, 3, 4].map(() => openTestStore(file)));
  for (const store of stores) {
    assert.equal(await new Journal(store).byReference('A'), undefined);
    await store.close();
  }
});

test('what two servers count of ignored settings at the same moment is counted in full', async () => {
  await using servers = await openServers();
  const { desks } = servers;
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (let round = 0; round < 5; round += 1) {
    desks.forEach(({ tally }, index) => {
      for (const name of index === 0 ? names : names.toReversed())
        tally.add({ form: 'main', ignored: [{ name: `${name} ${round}`, reason: 'not-offered' }] });
    });
    await Promise.all(desks.map(({ tally }) => tally.flush()));
  }
  const counted = await desks[0].tally.report(1);
  assert.deepEqual([counted.length, counted.filter(({ count }) => count !== 2).length], [30, 0]);
});

test('a connection that has gone silent is given up within about half a minute, and no statement or lock is waited for longer', async () => {
  const real = new URL(await databaseUrl().then(({ DATABASE_URL }) => DATABASE_URL!));
  const sockets: Socket[] = [];
  let isCut = false;
  const way = createServer((near) => {
    const far = connect(Number(real.port), real.hostname);
    const isOld = !isCut;
    sockets.push(near, far);
    near
      .on('data', (data) => {
        if (!isOld || !isCut) far.write(data);
      })
      .on('error', () => undefined)
      .on('close', () => far.destroy());
    far
      .on('data', (data) => {
        if (!isOld || !isCut) near.write(data);
      })
      .on('error', () => undefined)
      .on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => {
    way.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(real);
  url.port = String((way.address() as AddressInfo).port);
  const store = await openPostgres(url.href);
  try {
    for (const [name, value] of [
      ['statement_timeout', '25s'],
      ['lock_timeout', '10s'],
      ['idle_in_transaction_session_timeout', '30s'],
    ] as const) {
      assert.deepEqual(
        (await sql`SELECT current_setting(${name}) AS value`.execute(store.db)).rows,
        [{ value }],
      );
    }
    isCut = true;
    const began = Date.now();
    const read = () => store.db.selectFrom('gifts').selectAll().execute();
    await assert.rejects(read());
    assert.ok(Date.now() - began < 35_000);
    assert.deepEqual(await read(), []);
  } finally {
    await store.close();
    for (const socket of sockets) socket.destroy();
    way.close();
  }
});

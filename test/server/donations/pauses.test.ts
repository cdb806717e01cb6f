import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { PauseRepository } from '../../../src/server/donations/pause-repository.ts';
import { waitUntil } from '../../wait-until.ts';
import { callAdmin, ADMIN_KEY } from '../admin/support.ts';
import { CARDS } from '../../fake-stripe.ts';
import { startServerWithStripe } from '../payments/support.ts';
import { createIdempotencyKey, ORIGIN, startServer, readOutcome, readProblem } from '../support.ts';
import { openTestDatabase } from '../test-database.ts';

const fetchForm = (server: Awaited<ReturnType<typeof startServer>>): Promise<Response> =>
  Promise.resolve(
    server.handler.fetch(
      new Request('https://give.example/form', {
        headers: { Origin: ORIGIN, 'If-None-Match': server.etag },
      }),
    ),
  );

test('accepts no new donations and hides the form while an organization is paused, but processes earlier donations', async () => {
  await using server = await startServerWithStripe({ adminKey: ADMIN_KEY });
  const [known, acting] = [createIdempotencyKey(), createIdempotencyKey()];
  const token = server.fakeStripe.createConfirmationToken(CARDS.good);
  const request = await server.createRequest({ payment: { provider: 'stripe', method: 0, token } });
  assert.equal((await server.postDonation(request, { key: known })).status, 200);
  const { reference } = await server.donate(CARDS.authenticated, {}, acting);
  const { result } = (await (
    await callAdmin(server, '/api/organizations/lanternwell/pause', {
      by: 'Ana',
      note: 'card testers',
    })
  ).json()) as { result: string };
  assert.match(result, /^lanternwell is paused\. Within 5 seconds/);
  const calls = server.calls.length;
  const refused = await server.postDonation(request, { key: createIdempotencyKey() });
  assert.deepEqual(
    [
      refused.status,
      (await readProblem(refused)).code,
      (await fetchForm(server)).status,
      server.calls.length,
    ],
    [503, 'paused', 503, calls],
  );
  assert.equal(
    (await readOutcome(await server.postDonation(request, { key: known }))).status,
    'succeeded',
  );
  server.fakeStripe.completeAuthentication(server.fakeStripe.listPaymentIntents().at(-1)!.id, true);
  await server.deliverWebhooks();
  assert.equal((await readOutcome(await server.fetchOutcome(acting))).status, 'succeeded');
  await waitUntil(async () =>
    (await server.listGifts()).some((gift) => gift.reference === reference),
  );
  const getPause = async (): Promise<unknown> =>
    (
      (await (await callAdmin(server, '/api/organizations')).json()) as {
        items: { paused: { by: string; note: string } | null }[];
      }
    ).items[0]?.paused;
  assert.deepEqual(
    { ...((await getPause()) as object), at: '' },
    { at: '', by: 'Ana', note: 'card testers' },
  );
  await callAdmin(server, '/api/organizations/lanternwell/resume', { by: 'Bo' });
  assert.deepEqual(
    [(await fetchForm(server)).status, (await server.donate()).status, await getPause()],
    [304, 'succeeded', null],
  );
});

test('reads pauses once for 1,000 concurrent donations, and keeps the last result if the database fails', async () => {
  let time = 1_000_000;
  let asked = 0;
  const database = await openTestDatabase();
  await new PauseRepository(database, () => time).pauseOrganization('a', 'Ana', '');
  const counting = {
    ...database,
    db: {
      selectFrom: (table: 'pauses') => {
        asked += 1;
        return database.db.selectFrom(table);
      },
    },
  } as unknown as typeof database;
  const pauses = new PauseRepository(counting, () => time);
  assert.ok(
    (await Promise.all(Array.from({ length: 1_000 }, () => pauses.isPaused('a')))).every(Boolean),
  );
  assert.equal(asked, 1);
  await database.close();
  time += 60_000;
  assert.equal(await pauses.isPaused('a'), true);
});

test('rejects a pause of an unknown organization or without a name, and names the expected value', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const postAndGetMessage = async (path: string, order: object): Promise<unknown> => {
    const response = await callAdmin(server, path, order);
    return [response.status, ((await response.json()) as { message: string }).message];
  };
  assert.deepEqual(await postAndGetMessage('/api/organizations/none/pause', { by: 'Ana' }), [
    404,
    "Unknown organization 'none'; expected one of lanternwell.",
  ]);
  assert.deepEqual(await postAndGetMessage('/api/organizations/lanternwell/pause', { by: ' ' }), [
    400,
    'by: expected a name',
  ]);
});

test(
  'responds within about a second from the last known pauses if the database hangs, and reads them again for the next request',
  { timeout: 10_000 },
  async () => {
    let time = 1_000_000;
    let asked = 0;
    let isSilent = false;
    await using database = await openTestDatabase();
    await new PauseRepository(database, () => time).pauseOrganization('a', 'Ana', '');
    const silent = {
      ...database,
      db: {
        selectFrom: (table: 'pauses') => {
          asked += 1;
          const query = database.db.selectFrom(table);
          return isSilent
            ? {
                selectAll: () => ({
                  where: () => ({
                    orderBy: () => ({ execute: () => new Promise(() => undefined) }),
                  }),
                }),
              }
            : query;
        },
      },
    } as unknown as typeof database;
    const pauses = new PauseRepository(silent, () => time);
    assert.equal(await pauses.isPaused('a'), true);
    time += 5_000;
    isSilent = true;
    const answered = Promise.all([pauses.isPaused('a'), pauses.isPaused('b')]);
    const isLate = setTimeout(3_000, 'late');
    assert.deepEqual([await Promise.race([answered, isLate]), asked], [[true, false], 2]);
    await new PauseRepository(database, () => time).resumeOrganization('a', 'Bo', '');
    isSilent = false;
    time += 5_000;
    assert.deepEqual([await pauses.isPaused('a'), asked], [false, 3]);
  },
);

test('accepts donations on the server that resumed an organization, even if the database hangs afterward', async () => {
  await using database = await openTestDatabase();
  const pauses = new PauseRepository(database, Date.now);
  await pauses.pauseOrganization('o', 'Ana', '');
  assert.equal(await pauses.isPaused('o'), true);
  await pauses.resumeOrganization('o', 'Ana', '');
  pauses.listActive = () => Promise.reject(new Error('Connection terminated'));
  assert.equal(await pauses.isPaused('o'), false);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { PauseRepository } from '../../../src/server/donations/pause-repository.ts';
import { CARDS } from '../../fake-stripe.ts';
import { waitUntil } from '../../wait-until.ts';
import { ADMIN_KEY, callAdmin, startAdminServer } from '../admin/support.ts';
import { createIdempotencyKey, ORIGIN, readJson, readProblem, startServer } from '../support.ts';
import { openTestDatabase } from '../test-database.ts';

test('accepts no new donations and hides the form while an organization is paused, but processes earlier donations', async () => {
  await using server = await startAdminServer();
  const headers = { Origin: ORIGIN, 'If-None-Match': server.etag };
  const fetchFormStatus = async () => (await server.fetch('/form', { headers })).status;
  const [known, acting] = [createIdempotencyKey(), createIdempotencyKey()];
  const token = server.fakeStripe.createConfirmationToken(CARDS.good);
  const request = await server.createRequest({ payment: { provider: 'stripe', method: 0, token } });
  assert.equal((await server.postDonation(request, { key: known })).status, 200);
  const { reference } = await server.donate(CARDS.authenticated, {}, acting);
  const pause = { by: 'Ana', note: 'card testers' };
  const { result } = await readJson<{ result: string }>(
    callAdmin(server, '/api/organizations/lanternwell/pause', pause),
  );
  assert.match(result, /^lanternwell is paused\. Within 5 seconds/);
  const calls = server.calls.length;
  const refused = await server.postDonation(request);
  assert.deepEqual(
    [
      refused.status,
      (await readProblem(refused)).code,
      await fetchFormStatus(),
      server.calls.length,
    ],
    [503, 'paused', 503, calls],
  );
  const repeated = await server.submitDonation(request, known);
  assert.equal(repeated.status, 'succeeded');
  server.fakeStripe.completeAuthentication(server.fakeStripe.listPaymentIntents().at(-1)!.id, true);
  await server.deliverWebhooks();
  assert.equal((await server.pollOutcome(acting)).status, 'succeeded');
  await waitUntil(async () =>
    (await server.listGifts()).some((gift) => gift.reference === reference),
  );
  const getPause = async () => {
    const { items } = await readJson<{ items: { paused: object | null }[] }>(
      callAdmin(server, '/api/organizations'),
    );
    return items[0]!.paused;
  };
  assert.deepEqual({ ...(await getPause()), at: '' }, { at: '', ...pause });
  await callAdmin(server, '/api/organizations/lanternwell/resume', { by: 'Bo' });
  assert.deepEqual(
    [await fetchFormStatus(), (await server.donate()).status, await getPause()],
    [304, 'succeeded', null],
  );
});

test('reads pauses once for 1,000 concurrent donations, and keeps the last result if the database fails', async (t) => {
  let time = 1_000_000;
  const database = await openTestDatabase();
  await new PauseRepository(database, () => time).pauseOrganization('a', 'Ana', '');
  const pauses = new PauseRepository(database, () => time);
  const listActive = t.mock.method(pauses, 'listActive');
  assert.ok(
    (await Promise.all(Array.from({ length: 1_000 }, () => pauses.isPaused('a')))).every(Boolean),
  );
  assert.equal(listActive.mock.callCount(), 1);
  await database.close();
  time += 60_000;
  assert.equal(await pauses.isPaused('a'), true);
});

test('rejects a pause of an unknown organization or without a name, and names the expected value', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  for (const [organization, by, status, message] of [
    ['none', 'Ana', 404, "Unknown organization 'none'; expected one of lanternwell."],
    ['lanternwell', ' ', 400, 'by: expected a name'],
  ] as const) {
    const response = await callAdmin(server, `/api/organizations/${organization}/pause`, { by });
    assert.deepEqual(
      [response.status, ((await response.json()) as { message: string }).message],
      [status, message],
    );
  }
});

test(
  'responds within about a second from the last known pauses if the database hangs, and reads them again for the next request',
  { timeout: 10_000 },
  async (t) => {
    let time = 1_000_000;
    await using database = await openTestDatabase();
    const pauses = new PauseRepository(database, () => time);
    await new PauseRepository(database, () => time).pauseOrganization('a', 'Ana', '');
    const listActive = t.mock.method(pauses, 'listActive');
    assert.equal(await pauses.isPaused('a'), true);
    time += 5_000;
    listActive.mock.mockImplementationOnce(() => new Promise(() => undefined));
    const answered = Promise.all([pauses.isPaused('a'), pauses.isPaused('b')]);
    const isLate = setTimeout(3_000, 'late');
    assert.deepEqual(
      [await Promise.race([answered, isLate]), listActive.mock.callCount()],
      [[true, false], 2],
    );
    await new PauseRepository(database, () => time).resumeOrganization('a', 'Bo', '');
    time += 5_000;
    assert.deepEqual([await pauses.isPaused('a'), listActive.mock.callCount()], [false, 3]);
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GoalProgress } from '../../../src/core/schemas/goal-progress.ts';
import type { Database } from '../../../src/server/database/database.ts';
import { localizeInEachLanguage } from '../../../src/server/lib/localize.ts';
import type { Goal } from '../../../src/server/organizations/goal.ts';
import { goalProgress } from '../../response-schemas.ts';
import { waitUntil } from '../../wait-until.ts';
import { formWithPayments } from '../payments/support.ts';
import { CARDS, ORIGIN, readProblem, startServer, type TestServer } from '../support.ts';

const START = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const wells: Goal = {
  id: 'wells',
  names: { ...localizeInEachLanguage('Wells'), de: 'Brunnen' },
  currency: 'USD',
  decimals: 2,
  target: 1_000_000,
  offlineAmount: 100_000,
  period: { from: START - MINUTE, to: START + 60 * MINUTE },
  projects: new Set(['2']),
};

const fetchGoal = (server: TestServer, query = '?id=wells'): Promise<Response> =>
  server.fetch(`/goal${query}`, { headers: { Origin: ORIGIN } });
const fetchProgress = async (server: TestServer, query?: string): Promise<GoalProgress> =>
  goalProgress.parse(await (await fetchGoal(server, query)).json());
/**
 * Fetches the progress until it is as of this time or later. The first request may still return
 * cached totals.
 */
const fetchProgressAt = async (server: TestServer, time: number): Promise<GoalProgress> => {
  await waitUntil(async () => Date.parse((await fetchProgress(server)).asOf) >= time);
  return fetchProgress(server);
};
const LIVE_FORM = { ...formWithPayments, isTest: false };

/** Counts or breaks the queries of a database. */
const interceptQueries =
  (onQuery: () => void) =>
  (database: Database): Database => ({
    ...database,
    db: new Proxy(database.db, {
      get: (db, name) => {
        if (name === 'selectFrom') onQuery();
        return (Reflect.get(db, name) as () => unknown).bind(db);
      },
    }),
  });

test("counts charges for the goal's projects without covered fees, minus refunds and lost disputes", async () => {
  let time = START;
  await using server = await startServer({
    form: LIVE_FORM,
    goals: [
      wells,
      {
        ...wells,
        id: 'mail',
        projects: undefined,
        offlineAmount: 0,
        segments: new Set(['MAIL26']),
      },
    ],
    now: () => time,
  });
  assert.deepEqual(await fetchProgress(server), {
    id: 'wells',
    name: 'Wells',
    currency: 'USD',
    decimals: 2,
    target: 1_000_000,
    raised: 100_000,
    donations: 0,
    asOf: '2026-11-21T12:00:00.000Z',
  });
  await server.submitDonation();
  const { reference: back } = await server.submitDonation();
  const { reference: disputed } = await server.submitDonation();
  const yen = { currency: 'JPY', amount: 3_000, coverCosts: false, coveredFees: 0, total: 3_000 };
  for (const change of [
    { gift: { projects: [{ id: '1', amount: 5_000 }], segment: 'OTHER' } },
    { card: CARDS.declined },
    { payment: { provider: 'offline' } },
    { payment: { provider: 'offline' } },
    { gift: { ...yen, projects: [{ id: '2', amount: 3_000 }] } },
  ])
    await server.submitDonation(change);
  const refund = { at: time, amount: 5_181, refunded: 5_181 };
  await server.repository.outbox.insertEntries('lanternwell', [
    { id: 'refund r1', kind: 'refund', reference: back, payload: refund },
    { id: 'dispute_opened d1', kind: 'dispute_opened', reference: disputed, payload: {} },
  ]);
  time += MINUTE;
  const open = await fetchProgressAt(server, time);
  assert.deepEqual([open.raised, open.donations], [110_000, 2]);
  await server.repository.outbox.insertEntries('lanternwell', [
    { id: 'dispute_lost d1', kind: 'dispute_lost', reference: disputed, payload: {} },
  ]);
  time += MINUTE;
  const lost = await fetchProgressAt(server, time);
  assert.deepEqual([lost.raised, lost.donations], [105_000, 1]);
  assert.equal((await fetchProgress(server, '?id=mail')).raised, 5_000);
});

test('counts a goal once a minute for any number of requests, and reports when', async () => {
  let time = START;
  let reads = 0;
  await using server = await startServer({
    form: LIVE_FORM,
    goals: [wells],
    now: () => time,
    changeDatabase: interceptQueries(() => (reads += 1)),
  });
  await server.submitDonation();
  reads = 0;
  await Promise.all(Array.from({ length: 20 }, () => fetchProgress(server)));
  const once = reads;
  assert.ok(once > 0 && once < 10, `${once} reads for 20 questions`);
  await server.submitDonation();
  time += MINUTE - 1;
  const cached = await fetchProgress(server);
  assert.deepEqual([cached.raised, cached.asOf], [105_000, '2026-11-21T12:00:00.000Z']);
  time += 1;
  const counted = await fetchProgressAt(server, time);
  assert.deepEqual([counted.raised, counted.asOf], [110_000, '2026-11-21T12:01:00.000Z']);
});

test("returns a goal in the requested language to the organization's pages, and reports unknown goals", async () => {
  await using server = await startServer({ goals: [wells], now: () => START });
  assert.equal((await fetchProgress(server, '?language=de')).name, 'Brunnen');
  const response = await fetchGoal(server);
  assert.deepEqual(
    [response.headers.get('Access-Control-Allow-Origin'), response.headers.get('Cache-Control')],
    [ORIGIN, 'public, max-age=60'],
  );
  const missing = await fetchGoal(server, '?id=none');
  assert.deepEqual(
    [missing.status, (await readProblem(missing)).detail],
    [
      404,
      "No goal has this ID. Check the element's goal attribute " +
        'and "goals" in the server configuration.',
    ],
  );
});

test('ignores donations of forms in test mode', async () => {
  await using server = await startServer({ goals: [wells], now: () => START });
  await server.submitDonation();
  const { raised, donations } = await fetchProgress(server);
  assert.deepEqual([raised, donations], [100_000, 0]);
});

test('counts again for the next request after a failure', async () => {
  let failures = 0;
  await using server = await startServer({
    form: LIVE_FORM,
    goals: [wells],
    now: () => START,
    changeDatabase: interceptQueries(() => {
      if (failures-- > 0) throw new Error('Connection terminated unexpectedly');
    }),
  });
  await server.submitDonation();
  failures = 1;
  assert.equal((await fetchGoal(server)).status, 500);
  assert.equal((await fetchProgress(server)).raised, 105_000);
});

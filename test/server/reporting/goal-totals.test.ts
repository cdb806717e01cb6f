import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goalProgress, type GoalProgress } from '../../../src/core/schemas/goal-progress.ts';
import { localizeAll } from '../../../src/server/organizations/localize.ts';
import type { Goal } from '../../../src/server/organizations/goal.ts';
import { paidForm } from '../payments/support.ts';
import { openDesk, ORIGIN, outcomeOf, type Desk } from '../support.ts';

const START = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const wells: Goal = {
  id: 'wells',
  names: { ...localizeAll('Wells'), de: 'Brunnen' },
  currency: 'USD',
  decimals: 2,
  target: 1_000_000,
  offlineAmount: 100_000,
  period: { from: START - MINUTE, to: START + 60 * MINUTE },
  projects: new Set(['2']),
};

const ask = async (desk: Desk, query = '?id=wells'): Promise<Response> =>
  desk.handler.fetch(
    new Request(`https://give.example/goal${query}`, { headers: { Origin: ORIGIN } }),
  );
const progressOf = async (desk: Desk, query?: string): Promise<GoalProgress> =>
  goalProgress.parse(await (await ask(desk, query)).json());
/** The figures as of a time: whoever asks first when it has come still gets those of before. */
const progressAt = async (desk: Desk, time: number): Promise<GoalProgress> => {
  for (;;) {
    const progress = await progressOf(desk);
    if (Date.parse(progress.asOf) >= time) return progress;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
};
const REAL = { ...paidForm, isTest: false };
const give = async (desk: Desk, gift: object = {}, change: object = {}): Promise<string> => {
  const response = await desk.post(await desk.request({ gift, ...change }));
  assert.ok(response.ok || response.status === 402, await response.clone().text());
  return (await outcomeOf(response)).reference;
};

test('a goal counts what was charged for its projects, without covered costs, less what was paid back or lost in a dispute', async () => {
  let time = START;
  await using desk = await openDesk({
    form: REAL,
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
  assert.deepEqual(await progressOf(desk), {
    id: 'wells',
    name: 'Wells',
    currency: 'USD',
    decimals: 2,
    target: 1_000_000,
    raised: 100_000,
    gifts: 0,
    asOf: '2026-11-21T12:00:00.000Z',
  });
  const [, back, disputed] = [await give(desk), await give(desk), await give(desk)];
  await give(desk, { projects: [{ id: '1', amount: 5_000 }], segment: 'OTHER' });
  await give(desk, {}, { card: '4000000000000002' });
  await give(desk, {}, { payment: { provider: 'offline' } });
  await give(desk, {}, { payment: { provider: 'offline' } });
  await give(desk, {
    currency: 'JPY',
    amount: 3_000,
    coverCosts: false,
    coveredFees: 0,
    total: 3_000,
    projects: [{ id: '2', amount: 3_000 }],
  });
  await desk.repository.outbox.insert('lanternwell', [
    {
      id: 'refund r1',
      kind: 'refund',
      reference: back,
      payload: { at: time, amount: 5_181, refunded: 5_181 },
    },
  ]);
  await desk.repository.outbox.insert('lanternwell', [
    { id: 'dispute_opened d1', kind: 'dispute_opened', reference: disputed, payload: {} },
  ]);
  time += MINUTE;
  const open = await progressAt(desk, time);
  assert.deepEqual([open.raised, open.gifts], [110_000, 2]);
  await desk.repository.outbox.insert('lanternwell', [
    { id: 'dispute_lost d1', kind: 'dispute_lost', reference: disputed, payload: {} },
  ]);
  time += MINUTE;
  const lost = await progressAt(desk, time);
  assert.deepEqual([lost.raised, lost.gifts], [105_000, 1]);
  assert.equal((await progressOf(desk, '?id=mail')).raised, 5_000);
});

test('what a goal has raised is counted once a minute however often it is asked for, and the answer says when', async () => {
  let time = START;
  let reads = 0;
  await using desk = await openDesk({
    form: REAL,
    goals: [wells],
    now: () => time,
    changeDatabase: (database) => ({
      ...database,
      db: new Proxy(database.db, {
        get: (db, name) => {
          reads += Number(name === 'selectFrom');
          return (Reflect.get(db, name) as () => unknown).bind(db);
        },
      }),
    }),
  });
  await give(desk);
  reads = 0;
  await Promise.all(Array.from({ length: 20 }, () => progressOf(desk)));
  const once = reads;
  assert.ok(once > 0 && once < 10, `${once} reads for 20 questions`);
  await give(desk);
  time += MINUTE - 1;
  assert.deepEqual(await progressOf(desk).then(({ raised, asOf }) => [raised, asOf]), [
    105_000,
    '2026-11-21T12:00:00.000Z',
  ]);
  time += 1;
  assert.deepEqual(await progressAt(desk, time).then(({ raised, asOf }) => [raised, asOf]), [
    110_000,
    '2026-11-21T12:01:00.000Z',
  ]);
});

test("a goal has its name in the language that is asked for, may be asked by the organisation's pages, and is named where it is none", async () => {
  await using desk = await openDesk({ goals: [wells], now: () => START });
  assert.equal((await progressOf(desk, '?language=de')).name, 'Brunnen');
  const response = await ask(desk);
  assert.deepEqual(
    [response.headers.get('Access-Control-Allow-Origin'), response.headers.get('Cache-Control')],
    [ORIGIN, 'public, max-age=60'],
  );
  const missing = await ask(desk, '?id=none');
  assert.deepEqual(
    [missing.status, ((await missing.json()) as { detail: string }).detail],
    [
      404,
      'No goal has this id. Check the goal attribute of the element and "goals" in the server\'s configuration.',
    ],
  );
});

test('a gift of a form in test mode raises nothing', async () => {
  await using desk = await openDesk({ goals: [wells], now: () => START });
  await give(desk);
  assert.deepEqual(
    await progressOf(desk).then(({ raised, gifts }) => [raised, gifts]),
    [100_000, 0],
  );
});

test('after a count that failed, the next who asks is answered', async () => {
  let failures = 0;
  await using desk = await openDesk({
    form: REAL,
    goals: [wells],
    now: () => START,
    changeDatabase: (database) => ({
      ...database,
      db: new Proxy(database.db, {
        get: (db, name) => {
          if (name === 'selectFrom' && failures === 1 && (failures += 1))
            throw new Error('Connection terminated unexpectedly');
          return (Reflect.get(db, name) as () => unknown).bind(db);
        },
      }),
    }),
  });
  await give(desk);
  failures = 1;
  assert.equal((await ask(desk)).status, 500);
  assert.equal((await progressOf(desk)).raised, 105_000);
});

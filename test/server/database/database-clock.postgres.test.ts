import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { createSkewLogger } from '../../../src/server/observability/warnings.ts';
import { waitUntil } from '../../wait-until.ts';
import { startServer } from '../support.ts';
import { openTestDatabase, testOverPostgres as test } from '../test-database.ts';

const SKEW = 90_000;
/** Longest that a query may take on a busy machine, in milliseconds. */
const TOLERANCE = 1_000;

const isNear = (actual: number, expected: number): boolean =>
  Math.abs(actual - expected) < TOLERANCE;

function shiftClock(): { milliseconds: number } & Disposable {
  const getRealTime = Date.now;
  const shift = { milliseconds: 0 };
  const { mock: replaced } = mock.method(Date, 'now', () => getRealTime() + shift.milliseconds);
  return Object.assign(shift, { [Symbol.dispose]: () => replaced.restore() });
}

test("uses PostgreSQL's time, also right after the server's clock was changed", async () => {
  using shift = shiftClock();
  shift.milliseconds = SKEW;
  await using database = await openTestDatabase();
  const { clock } = database;
  assert.ok(isNear(clock.getSkew!(), SKEW));
  assert.ok(isNear(clock.now(), Date.now() - SKEW));
  shift.milliseconds = -SKEW;
  await waitUntil(async () => isNear(clock.now(), Date.now() + SKEW));
  assert.ok(isNear(clock.getSkew!(), -SKEW));
});

test('bar 24: reports the skew as a metric', async () => {
  using shift = shiftClock();
  shift.milliseconds = -SKEW;
  await using server = await startServer();
  const { text } = await server.scrape();
  const seconds = Number(/^donation_form_clock_skew_seconds (\S+)$/m.exec(text)?.[1]);
  assert.ok(isNear(seconds * 1_000, -SKEW), String(seconds));
});

test('logs a warning once when the clocks differ by more than ten seconds', async () => {
  const lines: string[] = [];
  const recordLine = (message: object | string): void => {
    if (typeof message === 'string') lines.push(message);
  };
  const report = createSkewLogger({ info: recordLine, warn: recordLine, error: recordLine });
  for (const skew of [9_900, 90_000, 91_000, -2_000, -12_000]) report(skew);
  assert.deepEqual(lines, [
    "this server's clock is 90 seconds ahead of the database's clock; turn on time synchronization on both machines",
    "this server's clock agrees with the database's clock again",
    "this server's clock is 12 seconds behind the database's clock; turn on time synchronization on both machines",
  ]);
});

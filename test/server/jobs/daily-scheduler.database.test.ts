import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DailyScheduler } from '../../../src/server/jobs/daily-scheduler.ts';
import { openTestDatabase } from '../test-database.ts';
import { LOG } from '../test-environment.ts';

const HOUR = 3_600_000;

test('runs each job once a day on one of two servers, also after another job failed', async () => {
  let time = Date.UTC(2026, 10, 25);
  await using database = await openTestDatabase(undefined, () => time);
  const runs: string[] = [];
  const createScheduler = (server: string): DailyScheduler =>
    new DailyScheduler({
      database,
      log: LOG,
      jobs: {
        cleanup: () => {
          runs.push(`cleanup on ${server}`);
          return Promise.reject(new Error('the disk is full'));
        },
        report: async () => void runs.push(`report on ${server}`),
      },
    });
  const schedulers = [createScheduler('one'), createScheduler('two')];
  const runOn = async (index: 0 | 1): Promise<string[]> => {
    runs.length = 0;
    await schedulers[index]!.wake();
    return [...runs];
  };
  assert.deepEqual(await runOn(0), ['cleanup on one', 'report on one']);
  assert.deepEqual([await runOn(1), await runOn(0)], [[], []]);
  time += 24 * HOUR - 1;
  assert.deepEqual(await runOn(1), []);
  time += 1;
  assert.deepEqual(await runOn(1), ['cleanup on two', 'report on two']);
  assert.deepEqual(await runOn(0), []);
  for (const scheduler of schedulers) await scheduler.stop();
});

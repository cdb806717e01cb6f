import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { PollingWorker } from '../../src/server/jobs/polling-worker.ts';

test('what is left in the very moment in which the loop goes to sleep is worked off before whoever left it is answered', async () => {
  const waiting: string[] = [];
  const done: string[] = [];
  let leave: (() => void) | undefined;
  const loop = new PollingWorker<string>({
    organization: 'o',
    log: pino({ enabled: false }),
    now: Date.now,
    due: async () => [...waiting],
    work: async (row) => {
      done.push(...waiting.splice(waiting.indexOf(row), 1));
    },
    nextDue: async () => {
      const next = waiting.length > 0 ? 0 : undefined;
      leave?.();
      return next;
    },
  });
  let answered: Promise<void> | undefined;
  leave = () => {
    leave = undefined;
    waiting.push('late');
    answered = loop.wake();
  };
  waiting.push('early');
  await loop.wake();
  await answered;
  assert.deepEqual(done, ['early', 'late']);
  await loop.stop();
});

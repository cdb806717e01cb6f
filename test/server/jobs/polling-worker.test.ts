import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import {
  PollingWorker,
  type PollingWorkerOptions,
} from '../../../src/server/jobs/polling-worker.ts';
import { waitUntil } from '../../wait-until.ts';

/** Creates a worker that handles the rows of an array. */
function createWorker(
  rows: string[],
  options: Pick<PollingWorkerOptions<string>, 'handle'> & Partial<PollingWorkerOptions<string>>,
): PollingWorker<string> {
  return new PollingWorker<string>({
    organization: 'o',
    log: pino({ enabled: false }),
    now: Date.now,
    listDue: async () => [...rows],
    findNextDueTime: async () => (rows.length > 0 ? 0 : undefined),
    ...options,
  });
}

test('handles a row that is added just as the worker goes to sleep', async () => {
  const rows = ['early'];
  const handled: string[] = [];
  let addRow: (() => void) | undefined;
  const worker = createWorker(rows, {
    handle: async (row) => {
      handled.push(...rows.splice(rows.indexOf(row), 1));
    },
    findNextDueTime: async () => {
      const next = rows.length > 0 ? 0 : undefined;
      addRow?.();
      return next;
    },
  });
  let woken: Promise<void> | undefined;
  addRow = () => {
    addRow = undefined;
    rows.push('late');
    woken = worker.wake();
  };
  await worker.wake();
  await woken;
  assert.deepEqual(handled, ['early', 'late']);
  await worker.stop();
});

test('keeps polling if it is woken while due rows are run once', async () => {
  const rows = ['first'];
  const handled: string[] = [];
  const worker = createWorker(rows, {
    handle: async (row) => {
      handled.push(...rows.splice(rows.indexOf(row), 1));
      if (row === 'first') void worker.wake();
    },
  });
  await worker.handleDueRows(new AbortController().signal);
  rows.push('second');
  await waitUntil(() => handled.length === 2);
  assert.deepEqual(handled, ['first', 'second']);
  await worker.stop();
});

test('runs no due rows once stopped, even if it is busy', async () => {
  const rows = ['slow'];
  let finishJob = (): void => undefined;
  const worker = createWorker(rows, {
    handle: () =>
      new Promise<void>((resolve) => {
        finishJob = () => {
          rows.pop();
          resolve();
        };
      }),
  });
  void worker.wake();
  const controller = new AbortController();
  const run = worker.handleDueRows(controller.signal, () => 1);
  controller.abort();
  assert.equal(await run, 0);
  finishJob();
  await worker.stop();
});

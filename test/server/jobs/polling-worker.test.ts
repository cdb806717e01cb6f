import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
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

test('handles the rows of a group in order, and those of several groups at the same time', async () => {
  const rows = ['a1', 'b1', 'a2', 'c1', 'b2'];
  const log: string[] = [];
  let inProgress = 0;
  let most = 0;
  const worker = createWorker(rows, {
    getGroup: (row) => row[0]!,
    getConcurrency: () => 2,
    handle: async (row) => {
      log.push(`start ${row}`);
      most = Math.max(most, (inProgress += 1));
      await setTimeout(row === 'a1' ? 100 : 5);
      inProgress -= 1;
      log.push(`end ${row}`);
      rows.splice(rows.indexOf(row), 1);
    },
  });
  await worker.wake();
  assert.equal(most, 2);
  assert.deepEqual(
    log.filter((entry) => entry.startsWith('start')),
    ['start a1', 'start b1', 'start c1', 'start b2', 'start a2'],
  );
  assert.ok(log.indexOf('end b1') < log.indexOf('end a1'), log.join());
  assert.ok(log.indexOf('end a1') < log.indexOf('start a2'), log.join());
  await worker.stop();
});

test('waits for the rows in progress before it reports an error', async () => {
  const rows = ['fails', 'slow', 'later'];
  const handled: string[] = [];
  const worker = createWorker(rows, {
    getGroup: (row) => row,
    getConcurrency: () => 2,
    handle: async (row) => {
      if (row === 'fails') throw new Error('no database');
      await setTimeout(10);
      handled.push(row);
    },
  });
  await assert.rejects(worker.handleDueRows(new AbortController().signal), /no database/);
  assert.deepEqual(handled, ['slow']);
  await worker.stop();
});

test('handles no later row of a group while another server has an earlier one', async () => {
  const rows = ['a1', 'a2', 'b1'];
  const handled: string[] = [];
  let isFirstClaimed = true;
  const worker = createWorker(rows, {
    getConcurrency: () => 2,
    getGroup: (row) => row[0]!,
    claim: async (row) => {
      if (row !== 'a1' || !isFirstClaimed) return row;
      isFirstClaimed = false;
      return undefined;
    },
    handle: async (row) => {
      handled.push(...rows.splice(rows.indexOf(row), 1));
    },
  });
  await worker.wake();
  assert.deepEqual(handled, ['b1', 'a1', 'a2']);
  await worker.stop();
});

test('does not call a handler in a tight loop if the row remains due', async () => {
  const rows = ['stuck', 'other'];
  const handled: string[] = [];
  const worker = createWorker(rows, {
    handle: async (row) => {
      handled.push(row);
      if (row === 'other' || handled.length === 100) rows.splice(rows.indexOf(row), 1);
    },
  });
  await worker.handleDueRows(new AbortController().signal);
  assert.deepEqual(handled, ['stuck', 'other', 'stuck']);
  await worker.wake();
  assert.deepEqual(handled, ['stuck', 'other', 'stuck', 'stuck']);
  await worker.stop();
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  PollingWorker,
  type PollingWorkerOptions,
} from '../../../src/server/jobs/polling-worker.ts';
import { waitUntil } from '../../wait-until.ts';
import { LOG } from '../test-environment.ts';

/** Creates a worker that removes and records each row of an array that it handles. */
function createWorker(rows: string[], options: Partial<PollingWorkerOptions<string>> = {}) {
  const handled: string[] = [];
  const removeRow = (row: string): void => void handled.push(...rows.splice(rows.indexOf(row), 1));
  const worker = new PollingWorker<string>({
    organization: 'o',
    log: LOG,
    now: Date.now,
    listDue: async () => [...rows],
    findNextDueTime: async () => (rows.length > 0 ? 0 : undefined),
    handle: async (row) => removeRow(row),
    ...options,
  });
  after(() => worker.stop());
  const { signal } = new AbortController();
  return { worker, handled, removeRow, handleDueRows: () => worker.handleDueRows(signal) };
}

test('handles a row that is added just as the worker goes to sleep', async () => {
  const rows = ['early'];
  let addRow: (() => void) | undefined;
  const { worker, handled } = createWorker(rows, {
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
});

test('keeps polling if it is woken while due rows are run once', async () => {
  const rows = ['first'];
  const { worker, handled, removeRow, handleDueRows } = createWorker(rows, {
    handle: async (row) => {
      removeRow(row);
      if (row === 'first') void worker.wake();
    },
  });
  await handleDueRows();
  rows.push('second');
  await waitUntil(() => handled.length === 2);
  assert.deepEqual(handled, ['first', 'second']);
});

test('runs no due rows once stopped, even if it is busy', async () => {
  const rows = ['slow'];
  let finishJob = (): void => undefined;
  const { worker } = createWorker(rows, {
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
});

test('handles the rows of a group in order, and those of several groups at the same time', async () => {
  const rows = ['a1', 'b1', 'a2', 'c1', 'b2'];
  const log: string[] = [];
  let inProgress = 0;
  let most = 0;
  const { worker, removeRow } = createWorker(rows, {
    getGroup: (row) => row[0]!,
    getConcurrency: () => 2,
    handle: async (row) => {
      log.push(`start ${row}`);
      most = Math.max(most, (inProgress += 1));
      await setTimeout(row === 'a1' ? 100 : 5);
      inProgress -= 1;
      log.push(`end ${row}`);
      removeRow(row);
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
});

test('waits for the rows in progress before it reports an error', async () => {
  const { handled, removeRow, handleDueRows } = createWorker(['fails', 'slow', 'later'], {
    getGroup: (row) => row,
    getConcurrency: () => 2,
    handle: async (row) => {
      if (row === 'fails') throw new Error('no database');
      await setTimeout(10);
      removeRow(row);
    },
  });
  await assert.rejects(handleDueRows(), /no database/);
  assert.deepEqual(handled, ['slow']);
});

test('handles no later row of a group while another server has an earlier one', async () => {
  let isFirstClaimed = true;
  const { worker, handled } = createWorker(['a1', 'a2', 'b1'], {
    getConcurrency: () => 2,
    getGroup: (row) => row[0]!,
    claim: async (row) => {
      if (row !== 'a1' || !isFirstClaimed) return row;
      isFirstClaimed = false;
      return undefined;
    },
  });
  await worker.wake();
  assert.deepEqual(handled, ['b1', 'a1', 'a2']);
});

test('does not call a handler in a tight loop if the row remains due', async () => {
  const attempted: string[] = [];
  const { worker, removeRow, handleDueRows } = createWorker(['stuck', 'other'], {
    handle: async (row) => {
      attempted.push(row);
      if (row === 'other' || attempted.length === 100) removeRow(row);
    },
  });
  await handleDueRows();
  assert.deepEqual(attempted, ['stuck', 'other', 'stuck']);
  await worker.wake();
  assert.deepEqual(attempted, ['stuck', 'other', 'stuck', 'stuck']);
});

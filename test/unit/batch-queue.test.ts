import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BatchQueue, type BatchQueueOptions } from '../../src/server/lib/batch-queue.ts';

class ItemError extends Error {}

/** Creates a queue of numbers that records its batches. */
function createQueue({
  processBatch = async (items) => items.map(String),
  ...options
}: Partial<BatchQueueOptions<number, string>> = {}) {
  const batches: (readonly number[])[] = [];
  const queue = new BatchQueue<number, string>({
    maxSize: 3,
    isItemError: (error) => error instanceof ItemError,
    ...options,
    processBatch: (items) => {
      batches.push(items);
      return processBatch(items);
    },
  });
  return { batches, queue };
}

test('processes concurrent items in batches of the maximum size, in their order', async () => {
  const { queue, batches } = createQueue();
  const results = await Promise.all([1, 2, 3, 4].map((item) => queue.add(item)));
  assert.deepEqual(results, ['1', '2', '3', '4']);
  assert.deepEqual(batches, [[1, 2, 3], [4]]);
});

test('processes items that are added during a batch in the next one', async () => {
  let finish = (): void => undefined;
  const { queue, batches } = createQueue({
    processBatch: async (items) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      finish = () => resolve(undefined);
      await promise;
      return items.map(String);
    },
  });
  const first = queue.add(1);
  await waitFor(() => batches.length === 1);
  const rest = [queue.add(2), queue.add(3)];
  finish();
  assert.equal(await first, '1');
  await waitFor(() => batches.length === 2);
  finish();
  assert.deepEqual(await Promise.all(rest), ['2', '3']);
  assert.deepEqual(batches, [[1], [2, 3]]);
});

test('an item that fails does not make the others fail', async () => {
  const { queue } = createQueue({
    processBatch: async (items) => {
      if (items.includes(2)) throw new ItemError('two');
      return items.map(String);
    },
  });
  const results = await Promise.allSettled([1, 2, 3].map((item) => queue.add(item)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('after an error that no item caused, all items fail at once', async () => {
  const { queue, batches } = createQueue({
    processBatch: () => Promise.reject(new Error('ECONNRESET')),
  });
  const results = await Promise.allSettled([1, 2, 3].map((item) => queue.add(item)));
  assert.ok(results.every(({ status }) => status === 'rejected'));
  assert.equal(batches.length, 1);
});

test('processes as many batches at the same time as allowed', async () => {
  const { queue, batches } = createQueue({
    maxConcurrency: 2,
    processBatch: () => new Promise(() => undefined),
  });
  for (const item of [1, 2, 3]) {
    void queue.add(item);
    await waitFor(() => batches.length === Math.min(item, 2));
  }
  assert.deepEqual(batches, [[1], [2]]);
});

test('does not process an item that was removed', async () => {
  const { queue, batches } = createQueue();
  void queue.add(1);
  const second = queue.add(2);
  queue.remove(1);
  assert.equal(await second, '2');
  assert.deepEqual(batches, [[2]]);
});

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition())
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

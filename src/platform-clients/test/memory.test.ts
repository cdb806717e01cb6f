/** The same as `memory.long.test.ts`, with fewer but longer records. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LISTS, serveLists } from './memory.ts';

const RECORDS = 4_000;
const MAX_GROWTH = 2_000_000;

const lists = await serveLists({ records: RECORDS, description: 'A well. '.repeat(250) });
after(() => lists[Symbol.asyncDispose]());

test('iterating over a list uses a constant amount of memory', async () => {
  for (const { list, count, heapGrowth } of await lists.measure(LISTS)) {
    assert.equal(count, RECORDS);
    assert.ok(heapGrowth < MAX_GROWTH, `${list}: the heap grew by ${heapGrowth} bytes`);
  }
});

test('the test detects a memory leak', async () => {
  const [report] = await lists.measure(['donations'], { leaks: true });
  assert.equal(report!.retained, RECORDS);
  assert.ok(report!.heapGrowth > 2 * MAX_GROWTH, `the heap grew by ${report!.heapGrowth} bytes`);
});

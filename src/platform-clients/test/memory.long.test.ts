import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LISTS, serveLists } from './memory.ts';

const RECORDS = 100_000;
const MAX_GROWTH = 5_000_000;

const lists = await serveLists({
  records: RECORDS,
  description: 'A well for a village, drilled and lined',
});
after(() => lists[Symbol.asyncDispose]());

for (const list of LISTS) {
  test(
    `iterating over 100,000 ${list} uses a constant amount of memory`,
    { timeout: 60_000 },
    async () => {
      const [report] = await lists.measure([list]);
      assert.equal(report!.count, RECORDS);
      assert.ok(report!.heapGrowth < MAX_GROWTH, `the heap grew by ${report!.heapGrowth} bytes`);
    },
  );
}

test('the test detects a memory leak', { timeout: 60_000 }, async () => {
  const [report] = await lists.measure(['donations'], { leaks: true });
  assert.equal(report!.retained, RECORDS);
  assert.ok(report!.heapGrowth > 2 * MAX_GROWTH, `the heap grew by ${report!.heapGrowth} bytes`);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LISTS, serveLists } from './memory.ts';

const RECORDS = 100_000;
const MOST_GROWN = 5_000_000;

const lists = await serveLists({
  records: RECORDS,
  description: 'A well for a village, drilled and lined',
});
after(() => lists[Symbol.asyncDispose]());

for (const list of LISTS) {
  test(`walking over 100,000 ${list} holds memory flat`, { timeout: 60_000 }, async () => {
    const [walked] = await lists.walk([list]);
    assert.equal(walked!.count, RECORDS);
    assert.ok(walked!.grown < MOST_GROWN, `the heap grew by ${walked!.grown} bytes`);
  });
}

test('memory that is not flat would be seen', { timeout: 60_000 }, async () => {
  const [walked] = await lists.walk(['donations'], { keeps: true });
  assert.equal(walked!.kept, RECORDS);
  assert.ok(walked!.grown > 2 * MOST_GROWN, `the heap grew by ${walked!.grown} bytes`);
});

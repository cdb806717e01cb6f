/** The walks of `memory.long.test.ts`, over fewer but longer records. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LISTS, serveLists } from './memory.ts';

const RECORDS = 4_000;
const MOST_GROWN = 2_000_000;

const lists = await serveLists({ records: RECORDS, description: 'A well. '.repeat(250) });
after(() => lists[Symbol.asyncDispose]());

test('walking over a list holds memory flat', async () => {
  for (const { list, count, grown } of await lists.walk(LISTS)) {
    assert.equal(count, RECORDS);
    assert.ok(grown < MOST_GROWN, `${list}: the heap grew by ${grown} bytes`);
  }
});

test('memory that is not flat would be seen', async () => {
  const [walked] = await lists.walk(['donations'], { keeps: true });
  assert.equal(walked!.kept, RECORDS);
  assert.ok(walked!.grown > 2 * MOST_GROWN, `the heap grew by ${walked!.grown} bytes`);
});

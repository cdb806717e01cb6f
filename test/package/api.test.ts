import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page } from '../../scripts/api.ts';

test("docs/api.md is what the code says of the elements and of the package's entries, and each has words", async () => {
  const written = readFileSync('docs/api.md', 'utf8');
  assert.equal(written, await page(), 'run npm run docs');
  assert.deepEqual(
    written.split('\n').filter((line) => /\|\s*\|$/.test(line)),
    [],
  );
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { renderApiPage } from '../../scripts/api.ts';

test('docs/reference/api.md matches the code and describes every entry', async () => {
  const current = readFileSync('docs/reference/api.md', 'utf8');
  assert.equal(current, await renderApiPage(), 'run npm run docs:reference');
  assert.deepEqual(
    current.split('\n').filter((line) => /\|\s*\|$/.test(line)),
    [],
  );
});

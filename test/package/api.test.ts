import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { renderPackagesPage } from '../../scripts/api.ts';
import { listPublicExports } from '../../scripts/public-api.ts';

test('docs/reference/server-package.md lists every entry of the packages', async () => {
  assert.equal(
    readFileSync('docs/reference/server-package.md', 'utf8'),
    await renderPackagesPage(),
    'run node scripts/api.ts',
  );
});

test('every export of the packages has a doc comment', () => {
  const exports = listPublicExports();
  assert.ok(exports.length > 200);
  assert.deepEqual(
    exports
      .filter(({ description }) => description.trim() === '')
      .map(({ module, name }) => `${module} ${name}`),
    [],
  );
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { renderTable, TABLE_FILE } from './table.ts';

test('docs/evidence/platform-contract.md counts every contract test', async () => {
  assert.equal(
    readFileSync(TABLE_FILE, 'utf8'),
    await renderTable(),
    'run: node test/contract/table.ts',
  );
});

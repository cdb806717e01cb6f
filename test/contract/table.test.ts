import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TABLE_FILE, contractTable } from './table.ts';

test('the table of what is checked is that of the contracts', async () => {
  assert.equal(
    readFileSync(TABLE_FILE, 'utf8'),
    await contractTable(),
    'run: node test/contract/table.ts',
  );
});

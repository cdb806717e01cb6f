import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { RECEIPT_COLUMNS } from '../../src/server/receipts/receipt-rows.ts';
import {
  DONATION_COLUMNS,
  FEE_COLUMNS,
  PAYMENT_COLUMNS,
} from '../../src/server/reporting/report.ts';
import { extractCode, extractTableRows } from '../markdown-table.ts';

test('docs/reference/csv-columns.md lists every column of a reconciliation, in the order of the file', () => {
  const rows = extractTableRows(readFileSync('docs/reference/csv-columns.md', 'utf8'), 'Donations');
  assert.deepEqual(
    rows.flatMap(([columns = '']) => extractCode(columns)),
    [...DONATION_COLUMNS, ...FEE_COLUMNS, ...PAYMENT_COLUMNS],
  );
});

test('docs/reference/csv-columns.md lists every column of an export of receipts, in the order of the file', () => {
  const rows = extractTableRows(readFileSync('docs/reference/csv-columns.md', 'utf8'), 'Receipts');
  assert.deepEqual(
    rows.flatMap(([columns = '']) => extractCode(columns)),
    RECEIPT_COLUMNS,
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createReference,
  findReferences,
  isReference,
} from '../../../src/server/donations/reference.ts';
import { formatLocalTime, parsePeriod } from '../../../src/server/lib/period.ts';

const parseInstants = (from: string, to: string, zone: string): string[] =>
  Object.values(parsePeriod(from, to, zone)).map((time) => new Date(time as number).toISOString());

test('starts days at midnight of the time zone, even on days when clocks change', () => {
  assert.deepEqual(parseInstants('2026-11-01', '2026-11-30', 'UTC'), [
    '2026-11-01T00:00:00.000Z',
    '2026-12-01T00:00:00.000Z',
  ]);
  assert.deepEqual(
    parseInstants('2026-10-25', '2026-10-25', 'Europe/Berlin'),
    ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    'a day with 25 hours',
  );
  assert.deepEqual(
    parseInstants('2024-03-31', '2024-03-31', 'Asia/Beirut'),
    ['2024-03-30T22:00:00.000Z', '2024-03-31T21:00:00.000Z'],
    'a day without its first hour',
  );
  assert.equal(
    formatLocalTime(Date.parse('2026-11-30T23:59:58.900Z'), 'Pacific/Auckland'),
    '2026-12-01 12:59:58',
  );
});

test('distinguishes our references from other numbers, alone and within text', () => {
  assert.ok(isReference(createReference(Date.now())) && isReference('7K4M9-QXD2P-12'));
  for (const other of ['7K4M9-QXD2', '7K4M9-QXD2O', 'CHEQUE-12', '7K4M9-QXD2P-0', 'x7K4M9-QXD2P'])
    assert.ok(!isReference(other), other);
  assert.deepEqual(findReferences('{"a":"7K4M9-QXD2P-2","b":"ABCDE-FGHJK"}'), [
    '7K4M9-QXD2P',
    'ABCDE-FGHJK',
  ]);
});

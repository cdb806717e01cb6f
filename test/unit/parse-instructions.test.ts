import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInstructions } from '../../src/donation-form/thank-you/instructions.ts';

for (const [line, expected] of [
  ['IBAN: DE02 1203 0000', { label: 'IBAN', value: 'DE02 1203 0000' }],
  ['Account GB00 TEST 0000 0000', { label: 'Account', value: 'GB00 TEST 0000 0000' }],
  ['Sort code 12-34-56-78', { label: 'Sort code', value: '12-34-56-78' }],
  ['Reference 7K4M9-QXD2P', { label: 'Reference', value: '7K4M9-QXD2P' }],
  ['振込先：DE02 1203', { label: '振込先', value: 'DE02 1203' }],
  ['Please send $50 to:', { text: 'Please send $50 to:' }],
  ['Note: write 7K4M9-QXD2P on it.', { text: 'Note: write 7K4M9-QXD2P on it.' }],
  ['7K4M9-QXD2P', { text: '7K4M9-QXD2P' }],
  ['See https://example.org', { text: 'See https://example.org' }],
  ['', { text: '' }],
] as const)
  test(`parses a line of payment instructions: ${JSON.stringify(line)}`, () => {
    assert.deepEqual(parseInstructions(` ${line} `, '7K4M9-QXD2P'), [expected]);
  });

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildUkReceiptTexts } from '../../src/server/receipts/templates/uk-texts.ts';

const FACTS = {
  organization: 'Lanternwell',
  charityNumber: '1234567',
  amount: '£50.00',
  reclaimableTax: '£12.50',
  giftAid: 'all',
  isTest: false,
} as const;

test('a UK receipt states the charity number, and the tax that the charity can reclaim', () => {
  const { identifiers, details, paragraphs } = buildUkReceiptTexts(FACTS);
  assert.deepEqual(identifiers, [['Registered charity number', '1234567']]);
  assert.deepEqual(details, [
    ['Gift Aid', 'Declared for all your donations'],
    ['Tax that Lanternwell can reclaim', '£12.50'],
  ]);
  assert.match(paragraphs.join('\n'), /reclaim £12\.50 of tax on this donation of £50\.00/);
  assert.match(paragraphs.join('\n'), /your responsibility to pay any difference/);
});

test('a UK receipt without a declaration claims no tax, and one for a test claims nothing', () => {
  const { details, paragraphs } = buildUkReceiptTexts({ ...FACTS, giftAid: undefined });
  assert.deepEqual(details, [['Gift Aid', 'No declaration']]);
  assert.match(paragraphs.join(), /claims no tax/);
  const test = buildUkReceiptTexts({ ...FACTS, isTest: true });
  assert.deepEqual([test.details, test.paragraphs], [[], []]);
});

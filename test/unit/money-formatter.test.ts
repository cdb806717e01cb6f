import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMoneyFormatter } from '../../src/core/money/money-formatter.ts';

test("formats amounts in the language's style, with ISO 4217 decimals, and whole amounts without decimals", () => {
  const german = createMoneyFormatter('de', 'ltr');
  const english = createMoneyFormatter('en', 'ltr');
  assert.deepEqual(
    [
      german(125_050, 'EUR', 2),
      german(5_000, 'EUR', 2),
      english(5_181, 'USD', 2),
      english(4_000, 'JPY', 0),
      english(150_050, 'HUF', 2),
      english(1_500, 'KWD', 3),
    ],
    ['1.250,50\u00a0€', '50\u00a0€', '$51.81', '¥4,000', 'HUF\u00a01,500.50', 'KWD\u00a01.500'],
  );
});

test('isolates a long currency symbol in right-to-left text and uses Latin digits', () => {
  const formatted = createMoneyFormatter('ar', 'rtl')(5_000, 'USD', 2);
  assert.ok(
    formatted.includes('50') && formatted.includes('\u2068US$\u2069'),
    JSON.stringify(formatted),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containsCardNumber } from '../../src/core/donor/card-number.ts';

test("finds card numbers with any grouping, in any script's digits, and inside other text", () => {
  for (const text of [
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '4242.4242.4242.4242',
    '4242\u00a04242\u00a04242\u00a04242',
    '4242\u202f4242\u202f4242\u202f4242',
    '4242  4242  4242  4242',
    '4242\n4242\n4242\n4242',
    '4242/4242/4242/4242',
    '4242_4242_4242_4242',
    '4242 - 4242 - 4242 - 4242',
    '4242–4242–4242–4242',
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
    '４２４２ ４２４２ ４２４２ ４２４２',
    '3782 822463 10005',
    '2223 0031 2200 3222',
    'take it from 5555555555554444, please',
    '378282246310005',
    '6011111111111117',
    '4242\u20114242\u20114242\u20114242',
    'x4242424242424242y',
  ])
    assert.equal(containsCardNumber(text), true, JSON.stringify(text));
});

test('ignores numbers that are not card numbers', () => {
  for (const text of [
    '',
    '4242 4242 4242 4241',
    '4242 4242',
    '1234567890123456',
    '+49 30 1234567, +49 30 7654321',
    'DE89 3704 0044 0532 0130 00',
    '2026-11-21 12:00',
    '42424242424242424242424242',
    'Members 4242 and 4242 and 4242 and 4242',
    '9780306406157',
    'For the wells',
    '555 0100',
    '0000000000000000',
    '42424242424242424242',
    '12345678901234567890123',
  ])
    assert.equal(containsCardNumber(text), false, JSON.stringify(text));
});

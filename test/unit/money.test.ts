import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCurrencyDecimals } from '../../src/core/money/currencies.ts';
import { removeCurrencySigns } from '../../src/core/money/currency-signs.ts';
import { calculateFeeCover, getFeeRate } from '../../src/core/money/fee-cover.ts';
import {
  formatMoney,
  parseAmount,
  parseTypedAmount,
  toMajorUnits,
} from '../../src/core/money/money.ts';

const USD = { code: 'USD', decimals: 2 };
const notation = { removeCurrencySigns };

test('parses amounts of links and settings', () => {
  for (const [input, minor] of [
    ['75', 7_500],
    ['75.5', 7_550],
    ['$75.50', 7_550],
    [' 1000 ', 100_000],
    ['0.01', 1],
    ['$ 20', 2_000],
  ] as const) {
    assert.equal(parseAmount(input, USD), minor, input);
  }
});

test('rule 7: rejects text that is not a plain amount', () => {
  for (const junk of [
    '',
    '0',
    '0.00',
    '1,000',
    '5,00',
    '1e3',
    '0x10',
    '-5',
    '+5',
    '1.005',
    'Infinity',
    'NaN',
    '５０',
    '1 000',
    '50USD',
    '.5',
    '5.',
    '1_000',
    '٣',
    '€20',
    '£5',
    'USD 5',
    '$',
    '$$5',
    '9'.repeat(14),
  ]) {
    assert.equal(parseAmount(junk, USD), undefined, junk);
  }
});

test('parses every amount from 0.01 to 10,000.00 exactly', () => {
  for (let minor = 1; minor <= 1_000_000; minor += 1) {
    if (parseAmount(toMajorUnits(minor, 2), USD) !== minor) assert.fail(toMajorUnits(minor, 2));
  }
});

test('parses typed amounts with any well-placed marks and rejects ambiguous ones', () => {
  for (const [typed, minor] of [
    ['$1,000', 100_000],
    ['1,250,000.50', 125_000_050],
    ['60.', 6_000],
    ['.50', 50],
    ['60 $', 6_000],
    ['USD 60', 6_000],
    ['60 USD', 6_000],
    ['$60 USD', 6_000],
    ['1 000', 100_000],
    ["1'000.50", 100_050],
    ['5,00', 500],
    ['1.000,00', 100_000],
    ['1,00,000', 10_000_000],
  ] as const)
    assert.equal(parseTypedAmount(typed, USD, notation), minor, typed);
  for (const ambiguous of [
    '0,500',
    '00,500',
    '1.000',
    '1,0000',
    ',500',
    '€40',
    '40 €',
    '.',
    '10 00',
    '1,000 000',
    '1.2.3',
    '',
  ])
    assert.equal(parseTypedAmount(ambiguous, USD, notation), undefined, ambiguous);
});

test('treats a dot before three digits as a grouping mark if the language has a decimal comma', () => {
  const EUR = { code: 'EUR', decimals: 2 };
  for (const [typed, minor] of [
    ['1.000', 100_000],
    ['5,00', 500],
    ['5.00', 500],
    ['1.250,50', 125_050],
    ['1,000', undefined],
    ['40 €', 4_000],
    ['1.250.000', 125_000_000],
  ] as const)
    assert.equal(
      parseTypedAmount(typed, EUR, { ...notation, decimalSeparator: ',' }),
      minor,
      typed,
    );
});

test('parses typed digits of any script, with a sign of the currency at either end', () => {
  const typedAmounts: Record<string, readonly (readonly [typed: string, minor: number])[]> = {
    USD: [
      ['٥٠', 5_000],
      ['٥٠٫٥', 5_050],
      ['١٬٠٠٠', 100_000],
      ['۵۰', 5_000],
      ['५०', 5_000],
      ['１，０００．５０', 100_050],
      ['US$25', 2_500],
      ['$25 USD', 2_500],
      ['25 usd', 2_500],
      ['25 US dollars', 2_500],
      ['\u200f25.50 \u2068US$\u2069', 2_550],
      ['25\u200b', 2_500],
      ['＄２５', 2_500],
    ],
    JPY: [
      ['￥5000', 5_000],
      ['5000円', 5_000],
      ['５，０００円', 5_000],
    ],
    EUR: [
      ['25,-', 2_500],
      ['€ 25,-', 2_500],
      ['25,– €', 2_500],
      ['25.--', 2_500],
    ],
    SEK: [
      ['25:-', 2_500],
      ['25 Kr', 2_500],
      ['kr.50', 5_000],
      ['kr. 50', 5_000],
    ],
    CAD: [
      ['CA$40', 4_000],
      ['$40', 4_000],
    ],
    AED: [['50.25\u00a0د.إ.\u200f', 5_025]],
  };
  for (const [code, typed] of Object.entries(typedAmounts)) {
    const currency = { code, decimals: code === 'JPY' ? 0 : 2 };
    for (const [text, minor] of typed)
      assert.equal(parseTypedAmount(text, currency, notation), minor, text);
  }
});

test('rejects a typed number with a sign of another currency, or that only looks like a whole number', () => {
  for (const junk of [
    '£5',
    'CAD 5',
    '5 €',
    '5円',
    '$5⁰⁰',
    '5²',
    '½',
    '1½',
    '①',
    '0x10',
    '1e3',
    '1e5',
    '-5',
    '1.005',
    '１．００５',
    '5 abc',
    'US 5',
    '$-5',
    '5-',
    '25-30',
    '$ USD',
  ])
    assert.equal(parseTypedAmount(junk, USD, notation), undefined, junk);
});

test("converts to major units with the currency's decimals", () => {
  assert.equal(toMajorUnits(5_181, 2), '51.81');
  assert.equal(toMajorUnits(5, 2), '0.05');
  assert.equal(toMajorUnits(500, 0), '500');
  assert.equal(toMajorUnits(1_234, 3), '1.234');
});

test('formats amounts with symbol, grouping, and decimals', () => {
  assert.equal(formatMoney(125_000, 'USD', 2), '$1,250');
  assert.equal(formatMoney(5_181, 'USD', 2), '$51.81');
  assert.equal(formatMoney(2_000, 'CHF', 2), 'CHF\u00a020');
  assert.equal(formatMoney(1_000_000, 'JPY', 0), '¥1,000,000');
  assert.equal(
    formatMoney(125_050, 'EUR', 2, {
      decimalSeparator: ',',
      groupSeparator: '.',
      currencyPattern: '{amount}\u00a0{symbol}',
    }),
    '1.250,50\u00a0€',
  );
});

test('uses ISO 4217 decimals even if Intl differs', () => {
  for (const [code, decimals] of [
    ['USD', 2],
    ['HUF', 2],
    ['COP', 2],
    ['IDR', 2],
    ['JPY', 0],
    ['ISK', 0],
    ['KWD', 3],
    ['CLF', 4],
  ] as const)
    assert.equal(getCurrencyDecimals(code), decimals, code);
  // XXX is ISO 4217's code for "no currency".
  for (const unknownCode of ['XXX', 'usd', '', 'toString', 'DEM'])
    assert.equal(getCurrencyDecimals(unknownCode), undefined, unknownCode);
});

test('the fee cover is never a minor unit short or too high', () => {
  const rate = { basisPoints: 290, fixed: 30 };
  const calculateFee = (total: number): number => (total * rate.basisPoints) / 10_000 + rate.fixed;
  for (let gift = 100; gift <= 100_000; gift += 1) {
    const total = gift + calculateFeeCover(gift, rate);
    if (total - calculateFee(total) < gift - 1e-9) assert.fail(`${gift} is short`);
    if (total - 1 - calculateFee(total - 1) >= gift) assert.fail(`${gift} pays too much`);
  }
  assert.equal(calculateFeeCover(5_000, rate), 181);
});

test('the fee cover is at most the maximum fee', () => {
  const bank = { basisPoints: 80, fixed: 0, maximum: 500 };
  assert.equal(calculateFeeCover(5_000, bank), 41);
  assert.equal(calculateFeeCover(1_000_000, bank), 500);
});

test('the fee follows the payment method, and offline payments have none', () => {
  const [card, bank, wallet] = [0, 1, 4] as const;
  const rate = { basisPoints: 290, fixed: 30 };
  const bankRate = { basisPoints: 80, fixed: 0, maximum: 500 };
  const feeCover = {
    ...rate,
    methods: { [bank]: bankRate, [wallet]: { basisPoints: 0, fixed: 0 } },
  };
  assert.deepEqual(calculateFeeCover(5_000, getFeeRate(feeCover, card)!), 181);
  assert.equal(getFeeRate(feeCover, bank), bankRate);
  assert.equal(getFeeRate(feeCover, wallet), undefined);
  assert.equal(getFeeRate(feeCover, undefined), undefined);
  assert.equal(getFeeRate(undefined, card), undefined);
});

test('accepts an amount of at most a billion, in any currency with two decimals', () => {
  for (const [text, minor] of [
    ['1000000000', 100_000_000_000],
    ['1000000000.01', undefined],
  ] as const)
    assert.deepEqual(
      [parseAmount(text, USD), parseTypedAmount(text, USD, notation)],
      [minor, minor],
    );
});

test('offers to cover a fee that is only a fixed amount or only a percentage, but no fee of zero', () => {
  for (const [basisPoints, fixed, covered] of [
    [0, 30, 30],
    [290, 0, 299],
    [0, 0, undefined],
  ] as const) {
    const rate = getFeeRate({ basisPoints, fixed }, 0);
    assert.equal(rate && calculateFeeCover(10_000, rate), covered);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeTranslation } from '../../scripts/translations.ts';
import {
  en,
  getTextDirection,
  type Language,
  LANGUAGES,
  type Translation,
} from '../../src/core/i18n/index.ts';
import { getCurrencyDecimals } from '../../src/core/money/currencies.ts';
import { removeCurrencySigns } from '../../src/core/money/currency-signs.ts';
import { formatMoney, parseTypedAmount, splitCurrencySigns } from '../../src/core/money/money.ts';
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

const CURRENCIES = 'USD EUR GBP JPY CHF CAD AUD MXN BRL PLN SEK TRY UAH ILS INR KWD'.split(' ');

/** Removes spaces and the direction marks of right-to-left languages. */
const removeOuterMarks = (text: string): string => text.replace(/^[\s\u200f]+|[\s\u200f]+$/g, '');

const getTexts = (language: Language): Translation['form'] =>
  language === 'en' ? en.form : (JSON.parse(completeTranslation(language)) as Translation).form;

for (const language of LANGUAGES)
  test(`the amount field accepts each amount that the form shows, in every currency: ${language}`, () => {
    const texts = getTexts(language);
    const writeMoney = createMoneyFormatter(language, getTextDirection(language));
    const { decimalSeparator } = texts;
    for (const code of Intl.supportedValuesOf('currency')) {
      const decimals = getCurrencyDecimals(code);
      if (decimals === undefined) continue;
      for (const minor of [7, 50, 123_450, 12_345_678].map((amount) => amount * 10 ** decimals)) {
        for (const cents of decimals === 0 ? [0] : [0, 5]) {
          const shown: string[] = [
            formatMoney(minor + cents, code, decimals, texts),
            writeMoney(minor + cents, code, decimals),
          ];
          for (const text of shown)
            assert.equal(
              parseTypedAmount(text, { code, decimals }, { decimalSeparator, removeCurrencySigns }),
              minor + cents,
              `${code} ${JSON.stringify(text)}`,
            );
        }
      }
    }
  });

for (const language of LANGUAGES)
  test(`puts an input's currency sign on the side where amounts have it: ${language}`, () => {
    const form = getTexts(language);
    const writeMoney = createMoneyFormatter(language, getTextDirection(language));
    for (const currency of CURRENCIES) {
      const signs = [
        (minor: number) => formatMoney(minor, currency, 2, form),
        (minor: number) => writeMoney(minor, currency, 2),
      ].map((format) => {
        const [prefix, suffix, ...rest] = splitCurrencySigns(format(0)).map(removeOuterMarks);
        assert.deepEqual(rest, []);
        for (const minor of [700, 5_181, 125_050]) {
          const [before = '', after = ''] = format(minor).split(/\d.*\d|\d/);
          assert.deepEqual(
            [removeOuterMarks(before), removeOuterMarks(after)],
            [prefix, suffix],
            currency,
          );
        }
        return [prefix, suffix];
      });
      const sides = signs.map((pair) => pair.map(Boolean));
      assert.deepEqual(sides[0], sides[1], currency);
      assert.equal(sides[0]!.filter(Boolean).length, 1, currency);
    }
  });

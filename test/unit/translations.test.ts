import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  addMissingTexts,
  completeTranslation,
  FOREIGN_LANGUAGES,
  listUntranslatedTexts,
} from '../../scripts/translations.ts';
import { en, type Translation } from '../../src/core/i18n/en.ts';
import { getTextDirection, type Language, LANGUAGES } from '../../src/core/i18n/languages.ts';

const LOCALES = 'src/core/i18n/locales';
const PLURAL_CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'];

type PluralForms = Readonly<Record<string, string>>;

const readTranslation = (language: Language): Translation =>
  language === 'en' ? en : (JSON.parse(completeTranslation(language)) as Translation);

/** Returns the texts of a language file by their paths. */
const readFile = (language: Language): Map<string, string | PluralForms> =>
  flatten(JSON.parse(readFileSync(`${LOCALES}/${language}.json`, 'utf8')) as object);

const isPlural = (value: object): value is PluralForms =>
  Object.keys(value).every((key) => PLURAL_CATEGORIES.includes(key));

/** Returns every text by its path, such as `form.fields.city`; a plural keeps its forms. */
function flatten(value: object, prefix = ''): Map<string, string | PluralForms> {
  return new Map(
    Object.entries(value).flatMap(([key, child]: [string, unknown]) =>
      typeof child === 'object' && child !== null && !isPlural(child)
        ? [...flatten(child, `${prefix}${key}.`)]
        : [[prefix + key, child as string | PluralForms] as const],
    ),
  );
}

const listPlaceholders = (text: string): string[] => [...new Set(text.match(/\{\w*\}/g))].sort();

/** Returns true if a plural form is for a single number ("1 project"), which it may then spell out. */
function isForOneNumber(language: Language, category: string): boolean {
  const rules = new Intl.PluralRules(language);
  const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1);
  return numbers.filter((number) => rules.select(number) === category).length <= 1;
}

test('every language but English has a file, and every file a language', () => {
  const files = readdirSync(LOCALES).filter((file) => file.endsWith('.json'));
  assert.deepEqual(
    files.sort(),
    LANGUAGES.filter((language) => language !== 'en')
      .map((language) => `${language}.json`)
      .sort(),
  );
});

test('no key is in two sections, because organizations override texts by key alone', () => {
  const keys = Object.values(en).flatMap((section: object) => Object.keys(section));
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  );
});

test('a missing text falls back to English, also within a group; a plural is taken as a whole', () => {
  const english = {
    form: { amount: 'Amount', fields: { city: 'City', email: 'Email' } },
    submission: { errorSummary: { one: 'One field', other: '{count} fields' } },
    address: { chooseRegion: 'Choose' },
  };
  const german = {
    form: { amount: 'Betrag', fields: { city: 'Ort' } },
    submission: { errorSummary: { other: '{count} Felder' } },
  };
  assert.deepEqual(addMissingTexts(german, english), {
    form: { amount: 'Betrag', fields: { city: 'Ort', email: 'Email' } },
    submission: { errorSummary: { other: '{count} Felder' } },
    address: { chooseRegion: 'Choose' },
  });
});

test('en-GB: has only texts that differ from American English', () => {
  const americanTexts = flatten(en);
  const britishTexts = readFile('en-GB');
  assert.ok(britishTexts.size > 0);
  for (const [key, text] of britishTexts) {
    assert.ok(americanTexts.has(key), key);
    assert.notDeepEqual(text, americanTexts.get(key), key);
  }
  const completedTexts = flatten(readTranslation('en-GB'));
  assert.equal(completedTexts.get('form.fields.postal'), 'Postcode');
  assert.equal(completedTexts.get('form.fields.city'), 'City');
});

test('no American spelling is left in en-GB', () => {
  for (const [key, text] of flatten(readTranslation('en-GB')))
    assert.doesNotMatch(
      JSON.stringify(text),
      /honor|organization[^}]|canceled|\b(?:favor|color|ZIP code to|postal code)\b/i,
      key,
    );
});

test('the list of untranslated texts does not name en-GB', () => {
  for (const { path, languages } of listUntranslatedTexts())
    assert.ok(!languages.includes('en-GB'), path);
});

for (const language of LANGUAGES) {
  const texts = flatten(readTranslation(language));
  const englishTexts = flatten(en);

  test(`${language}: has no keys that English lacks`, () => {
    assert.deepEqual(
      [...texts.keys()].filter((key) => !englishTexts.has(key)),
      [],
    );
  });

  test(`${language}: has the placeholders that English has, and no others`, () => {
    for (const [key, text] of texts) {
      const source = englishTexts.get(key)!;
      if (typeof text === 'string') {
        assert.deepEqual(listPlaceholders(text), listPlaceholders(source as string), key);
        continue;
      }
      const expected = listPlaceholders((source as PluralForms).other!);
      for (const [category, form] of Object.entries(text)) {
        const found = listPlaceholders(form);
        const isSpelledOut = found.length === 0 && isForOneNumber(language, category);
        assert.deepEqual(found, isSpelledOut ? [] : expected, `${key}.${category}`);
      }
    }
  });

  test(`${language}: has the plural forms that CLDR requires, and no others`, () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const plurals = [...texts].filter(([, text]) => typeof text !== 'string');
    assert.ok(plurals.length > 0);
    for (const [key, forms] of plurals)
      assert.deepEqual(Object.keys(forms).sort(), [...pluralCategories].sort(), key);
  });

  test(`${language}: has no stray spaces`, () => {
    for (const [key, text] of texts) {
      for (const form of typeof text === 'string' ? [text] : Object.values(text)) {
        assert.ok(form !== '' && !/ {2}/.test(form), key);
        if (key !== 'form.groupSeparator') assert.equal(form, form.trim(), key);
      }
    }
  });

  test(`${language}: writes amounts as CLDR does`, () => {
    const { decimalSeparator, groupSeparator, currencyPattern } = readTranslation(language).form;
    const parts = new Intl.NumberFormat(language, {
      style: 'currency',
      currency: 'EUR',
      numberingSystem: 'latn',
    }).formatToParts(12_345.5);
    const findPart = (type: string): string | undefined =>
      parts.find((part) => part.type === type)?.value;
    const types = parts.map(({ type }) => type);
    assert.deepEqual(
      [decimalSeparator, groupSeparator, currencyPattern.startsWith('{symbol}')],
      [
        findPart('decimal'),
        findPart('group'),
        types.indexOf('currency') < types.indexOf('integer'),
      ],
    );
  });

  test(`${language}: runs in the direction of its script`, () => {
    const { script } = new Intl.Locale(language).maximize();
    assert.equal(getTextDirection(language), ['Arab', 'Hebr'].includes(script!) ? 'rtl' : 'ltr');
  });

  if (FOREIGN_LANGUAGES.some((foreign) => foreign === language))
    test(`${language}: is translated`, () => {
      const copied = [...texts].filter(
        ([key, text]) =>
          key !== 'form.currencyPattern' &&
          typeof text === 'string' &&
          text.length > 12 &&
          text === englishTexts.get(key),
      );
      assert.deepEqual(copied, []);
    });
}

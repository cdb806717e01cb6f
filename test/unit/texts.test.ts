import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { LANGUAGES } from '../../src/core/i18n/language.ts';
import { english } from '../../src/core/i18n/english.ts';
import type { Tables } from '../../src/core/i18n/tables.ts';

const languages = LANGUAGES.filter((language) => language !== 'en');
const tablesOf = async (language: string): Promise<Tables> =>
  (
    (await import(
      `../../src/core/i18n/${language === 'en' ? 'en' : `locales/${language}`}.ts`
    )) as { tables: Tables }
  ).tables;

/** Every text of a table by its name; the forms of a plural have one name. */
function textsOf(table: object, before = ''): [name: string, text: string][] {
  return Object.entries(table).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string'
      ? [[`${before}${/^(zero|one|two|few|many|other)$/.test(name) ? 'plural' : name}`, value]]
      : textsOf(value as object, `${before}${name}.`),
  );
}
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

test('there is one table for each language, and for no other', () => {
  const files = readdirSync('src/core/i18n/locales').map((file) => file.replace('.ts', ''));
  assert.deepEqual(files.sort(), [...languages].sort());
});

for (const language of languages) {
  test(`${language}: every text fills in what the English one fills in, and is translated`, async () => {
    const tables = await tablesOf(language);
    const expected = new Map(textsOf(english));
    const own = textsOf(tables);
    assert.deepEqual(
      [...new Set(own.map(([name]) => name))].sort(),
      [...new Set(expected.keys())].sort(),
    );
    let same = 0;
    for (const [name, text] of own) {
      const missing = placeholders(expected.get(name)!).filter(
        (placeholder) => !text.includes(placeholder),
      );
      const unknown = placeholders(text).filter(
        (placeholder) => !expected.get(name)!.includes(placeholder),
      );
      assert.deepEqual(
        [unknown, name.endsWith('plural') ? [] : missing],
        [[], []],
        `${name}: ${text}`,
      );
      assert.ok(
        (name === 'form.groupMark' || text === text.trim()) && !/ {2}/.test(text),
        `${name}: spaces`,
      );
      if (text.length > 12 && text === expected.get(name)) same += 1;
    }
    assert.ok(same <= 1, `${same} texts are the English ones`);
  });

  test(`${language}: plurals have the forms that the language has, and amounts are written as the language writes them`, async () => {
    const { form, sending, more } = await tablesOf(language);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const plural of [sending.problems, more.projectsFound]) {
      for (const category of pluralCategories)
        assert.ok(
          category in plural ||
            [1, 2, 3, 5, 11, 100].every(
              (count) => new Intl.PluralRules(language).select(count) !== category,
            ),
          `${category} of ${JSON.stringify(plural)}`,
        );
      for (const category of Object.keys(plural))
        assert.ok(
          pluralCategories.some((known) => known === category),
          category,
        );
    }
    const parts = new Intl.NumberFormat(language, {
      style: 'currency',
      currency: 'EUR',
      numberingSystem: 'latn',
    }).formatToParts(12_345.5);
    const part = (type: string): string | undefined =>
      parts.find((one) => one.type === type)?.value;
    const isSignFirst =
      parts.findIndex(({ type }) => type === 'currency') <
      parts.findIndex(({ type }) => type === 'integer');
    assert.deepEqual(
      [form.decimalMark, form.groupMark, form.money.startsWith('{sign}')],
      [part('decimal'), part('group'), isSignFirst],
    );
    assert.equal(form.direction, ['ar', 'he'].includes(language) ? 'rtl' : 'ltr');
  });
}

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FOREIGN_LANGUAGES } from '../../scripts/translations.ts';
import { LANGUAGES } from '../../src/core/i18n/languages.ts';

const DONOR_TEXT =
  /\.(description|displayValue|hint|instructions|label|text|(projects|goals)\.\d+\.name)$/;

const readJson = (path: string): object => JSON.parse(readFileSync(path, 'utf8')) as object;

/** Lists the texts that donors read, with their paths, such as `.forms.0.projects.1.name`. */
function listDonorTexts(value: object, path = ''): [path: string, text: unknown][] {
  return Object.entries(value).flatMap(([key, child]: [string, unknown]) => {
    const childPath = `${path}.${key}`;
    if (DONOR_TEXT.test(childPath)) return [[childPath, child]];
    return typeof child === 'object' && child !== null ? listDonorTexts(child, childPath) : [];
  });
}

test("the demo's forms, payment providers, and goals have every text in every language", () => {
  const {
    organizations: [{ forms, ...organization }],
  } = readJson('demo/donation-form.config.json') as {
    organizations: [{ forms: { id: string }[] }];
  };
  // The form with many projects is for its search field, and no page of the demo shows it.
  const shown = forms.filter(({ id }) => id !== 'many');
  const texts = listDonorTexts({ ...organization, forms: shown });
  assert.ok(texts.length > 50);
  for (const [path, text] of texts)
    assert.deepEqual(Object.keys(text as object).sort(), ['en', ...FOREIGN_LANGUAGES].sort(), path);
});

test('the page with all parts offers every language and has every text in it', () => {
  const page = readFileSync('demo/site/full-form.html', 'utf8');
  const offered = [...page.matchAll(/<option value="([\w-]+)"(?: lang="\1")?>([^<]+)</g)];
  assert.deepEqual(
    offered.map(([, language]) => language),
    [...LANGUAGES],
  );
  for (const [, language, name] of offered)
    if (!language!.startsWith('en'))
      assert.equal(
        name!.toLowerCase(),
        new Intl.DisplayNames(language, { type: 'language' }).of(language!)!.toLowerCase(),
      );
  assert.deepEqual(
    readdirSync('demo/site/texts').sort(),
    FOREIGN_LANGUAGES.map((language) => `${language}.json`).sort(),
  );
  const keys = [...page.matchAll(/data-text="(\w+)"/g)].map(([, key]) => key);
  for (const language of FOREIGN_LANGUAGES)
    assert.deepEqual(
      Object.keys(readJson(`demo/site/texts/${language}.json`)).sort(),
      [...keys].sort(),
      language,
    );
});

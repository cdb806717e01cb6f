import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CUSTOM_TEXTS, renderTextsPage, renderUntranslatedPage } from '../../scripts/texts.ts';
import { LANGUAGES } from '../../src/core/i18n/languages.ts';
import { ENGLISH_TEXTS } from '../../src/core/i18n/text-keys.ts';
import { PROBLEM_TEXTS } from '../../src/core/page-diagnosis/problem-texts.ts';
import { configuration } from '../../src/core/schemas/configuration.ts';
import { REASON_LABELS } from '../../src/core/settings/explain.ts';
import { ELEMENT_PROPERTIES, SETTING_PATHS } from '../../src/core/settings/from-page-settings.ts';
import { isKnownParameter, URL_PARAMETERS } from '../../src/core/settings/from-url.ts';
import { type IgnoreReason, MISTAKE_REASONS } from '../../src/core/settings/ignore-reason.ts';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { buildLocalizedForm } from '../../src/server/organizations/form-definitions.ts';
import { extractCode, extractTableRows } from '../markdown-table.ts';

const settings = readFileSync('docs/reference/settings.md', 'utf8');
/** Rows of the tables with current and with older names: a setting, and the names in each source. */
const readRows = (heading: string): SettingRow[] =>
  extractTableRows(settings, heading).map(([setting, ...cells]) => ({
    setting,
    names: cells.map(extractCode),
  }));
const rows = readRows('Available settings');
const olderRows = readRows('Older names');
interface SettingRow {
  readonly setting: string | undefined;
  readonly names: readonly (readonly string[])[];
}
/** Names of a row's setting in one source: the current names, then the older ones. */
const listNames = ({ setting, names }: SettingRow, source: number): string[] => [
  ...(names[source] ?? []),
  ...(olderRows.find((older) => older.setting === setting)?.names[source] ?? []),
];
const URL_SOURCE = 0;
const PAGE_SOURCE = 1;
const ELEMENT_SOURCE = 2;

test('docs/reference/settings.md lists every URL parameter, settings path, and attribute, in the order of the code', () => {
  const listUrlNames = (row: SettingRow): string => listNames(row, URL_SOURCE).join().toLowerCase();
  for (const [setting, names] of Object.entries(URL_PARAMETERS))
    assert.ok(
      rows.some((row) => listUrlNames(row) === names.join()),
      setting,
    );
  for (const setting of new Set(SETTING_PATHS.map(([name]) => name))) {
    const paths = SETTING_PATHS.filter(([name]) => name === setting).map(([, path]) => path);
    const row = rows.find((candidate) => listNames(candidate, PAGE_SOURCE).join() === paths.join());
    assert.ok(row, setting);
    assert.equal(
      listUrlNames(row),
      ((URL_PARAMETERS as Readonly<Record<string, readonly string[]>>)[setting] ?? []).join(),
      setting,
    );
  }
  for (const [, attribute] of Object.values(ELEMENT_PROPERTIES))
    assert.ok(
      rows.some((row) => listNames(row, ELEMENT_SOURCE).join() === attribute),
      attribute,
    );
  const optional = rows
    .flatMap((row) => listNames(row, URL_SOURCE))
    .filter((name) => !isListed(name));
  assert.deepEqual(optional, ['field.<id>', 'tribute', 'tribute-name', 'consent.<id>=no']);
  assert.ok(optional.every((name) => isKnownParameter(name.replace(/=.*/, ''))));
  assert.equal(
    rows.flatMap((row) => listNames(row, ELEMENT_SOURCE)).length,
    Object.keys(ELEMENT_PROPERTIES).length,
  );
  for (const { setting } of olderRows)
    assert.ok(
      rows.some((row) => row.setting === setting),
      setting,
    );
});

/** Returns true if the name is a parameter of a setting, not of an optional section. */
function isListed(name: string): boolean {
  return Object.values(URL_PARAMETERS)
    .flat()
    .some((known) => known === name.toLowerCase());
}

test('the documentation names every attribute of the element and every reason to ignore a value', () => {
  assert.ok(DonationFormElement.observedAttributes.length >= 15);
  for (const attribute of DonationFormElement.observedAttributes)
    assert.match(settings, new RegExp(`\`${attribute}[\`=]`), attribute);
  const reasons: readonly IgnoreReason[] = [...MISTAKE_REASONS, 'empty', 'repeated', 'overridden'];
  const why = readFileSync('docs/campaigns/why-did-my-link-not-work.md', 'utf8');
  for (const reason of reasons)
    assert.ok(why.includes(`| ${REASON_LABELS[reason]} | \`${reason}\` |`), reason);
});

test('docs/reference/settings.md lists every language and its code', () => {
  assert.deepEqual(
    extractTableRows(settings, 'Languages').map(([, code]) => extractCode(code!)[0]),
    LANGUAGES,
  );
});

test('docs/install/troubleshooting.md lists every cause that keeps the form off a page', () => {
  const page = readFileSync('docs/install/troubleshooting.md', 'utf8');
  const names = Object.keys(PROBLEM_TEXTS);
  const causes = [...new Set(names.map((name) => name.split('/')[0]))];
  assert.ok(causes.length > 20);
  assert.deepEqual(
    extractTableRows(page, 'Causes')
      .map(([cause]) => extractCode(cause!)[0])
      .sort(),
    causes.sort(),
  );
});

test('docs/reference/texts.md lists every text by its key', async () => {
  const page = readFileSync('docs/reference/texts.md', 'utf8');
  assert.equal(page, await renderTextsPage(), 'Outdated. Run `npm run docs:reference`.');
  assert.ok(ENGLISH_TEXTS.size > 150);
  const keys = extractCode(page.slice(page.indexOf('## Labels and buttons')));
  assert.deepEqual(keys.sort(), [...ENGLISH_TEXTS.keys()].sort());
});

test('docs/reference/texts.md shows texts that a form accepts', () => {
  const file = JSON.parse(readFileSync('examples/donation-form.config.json', 'utf8')) as object;
  const organization = configuration.parse(file).organizations[0];
  const localized = buildLocalizedForm(
    organization,
    { ...organization.forms[0], ...CUSTOM_TEXTS },
    'form',
  );
  assert.equal(localized.en.definition.texts['fields.firstName'], 'Given name');
  assert.equal(localized.de.definition.texts.donor, 'Über Sie');
});

test('docs/contributing/untranslated.md lists every text that a language lacks', async () => {
  assert.equal(
    readFileSync('docs/contributing/untranslated.md', 'utf8'),
    await renderUntranslatedPage(),
  );
});

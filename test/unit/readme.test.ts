import assert from 'node:assert/strict';
import { globSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { MISTAKE_REASONS, type IgnoreReason } from '../../src/core/settings/ignore-reason.ts';
import { renderTextsPage, renderUntranslatedPage } from '../../scripts/texts.ts';
import { REASON_LABELS } from '../../src/donation-form/debug/debug-panel.ts';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { ELEMENT_PROPERTIES } from '../../src/core/settings/from-attributes.ts';
import { SETTING_PATHS } from '../../src/core/settings/from-page-settings.ts';
import { URL_PARAMETERS } from '../../src/core/settings/from-url.ts';

const settings = readFileSync('docs/reference/settings.md', 'utf8');
/** Names in each column of the settings table. */
const rows = settings
  .slice(settings.indexOf('## What can be set'), settings.indexOf('## How values are read'))
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)),
  );

test('docs/reference/settings.md lists every URL parameter, settings path, and attribute, in the order of the code', () => {
  for (const [setting, names] of Object.entries(URL_PARAMETERS))
    assert.ok(
      rows.some(([, address]) => address?.join().toLowerCase() === names.join()),
      setting,
    );
  for (const setting of new Set(SETTING_PATHS.map(([name]) => name))) {
    const paths = SETTING_PATHS.filter(([name]) => name === setting).map(([, path]) => path);
    const row = rows.find(([, , page]) => page?.join() === paths.join());
    assert.equal(
      row?.[1]!.join().toLowerCase(),
      ((URL_PARAMETERS as Readonly<Record<string, readonly string[]>>)[setting] ?? []).join(),
      setting,
    );
  }
  for (const [, attribute] of Object.values(ELEMENT_PROPERTIES))
    assert.ok(
      rows.some(([, , , own]) => own?.join() === attribute),
      attribute,
    );
  assert.equal(
    rows.flatMap(([, address]) => address!).length,
    Object.values(URL_PARAMETERS).flat().length,
  );
  assert.equal(rows.flatMap(([, , , own]) => own!).length, Object.keys(ELEMENT_PROPERTIES).length);
});

test('the documentation names every attribute of the element and every reason to ignore a value', () => {
  assert.ok(DonationFormElement.observedAttributes.length >= 15);
  for (const attribute of DonationFormElement.observedAttributes)
    assert.match(settings, new RegExp(`\`${attribute}[\`=]`), attribute);
  const reasons: readonly IgnoreReason[] = [...MISTAKE_REASONS, 'empty', 'repeated', 'overridden'];
  const why = readFileSync('docs/campaigns/why-did-my-link-not-work.md', 'utf8');
  for (const reason of reasons)
    assert.ok(why.includes(`| ${REASON_LABELS[reason]} | \`${reason}\` |`), reason);
});

test('docs/install/troubleshooting.md names only causes that the code has', () => {
  const page = readFileSync('docs/install/troubleshooting.md', 'utf8');
  const causes = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, cause]) => cause!);
  assert.ok(causes.length >= 14);
  const code = globSync('src/{core,donation-form}/**/*.ts', { exclude: ['**/node_modules'] })
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
  for (const cause of causes) assert.ok(code.includes(`'${cause}'`), cause);
});

test('docs/reference/api.md names every event and custom property of the element', () => {
  const api = readFileSync('docs/reference/api.md', 'utf8');
  const events = readdirSync('src/donation-form/events')
    .map((file) => readFileSync(`src/donation-form/events/${file}`, 'utf8'))
    .join('');
  const styles = readFileSync('src/donation-form/form/styles.ts', 'utf8');
  const names = [...events.matchAll(/type = '(donation-form-[a-z-]+)'/g)].map(([, name]) => name!);
  assert.ok(names.length >= 8);
  for (const name of names) assert.ok(api.includes(`\`${name}\``), name);
  for (const property of new Set(
    [...styles.matchAll(/var\(--donation(-[a-z-]+)/g)].map(([, name]) => name!),
  ))
    assert.ok(api.includes(`${property}\``), property);
});

test('docs/reference/texts.md lists every text by its name', async () => {
  assert.equal(readFileSync('docs/reference/texts.md', 'utf8'), await renderTextsPage());
});

test('docs/contributing/untranslated.md lists every text that a language lacks', async () => {
  assert.equal(
    readFileSync('docs/contributing/untranslated.md', 'utf8'),
    await renderUntranslatedPage(),
  );
});

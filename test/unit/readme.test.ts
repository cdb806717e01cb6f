import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { MISTAKES, type IgnoreReason } from '../../src/core/settings/ignore-reason.ts';
import { page as textsPage } from '../../scripts/texts.ts';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { COMPONENT_PROPERTIES } from '../../src/core/settings/from-attributes.ts';
import { SETTING_PATHS } from '../../src/core/settings/from-page-settings.ts';
import { URL_NAMES } from '../../src/core/settings/from-url.ts';

const readme = readFileSync('README.md', 'utf8');
const settings = readFileSync('docs/settings.md', 'utf8');
/** The rows of the table of settings, each as the names in its columns. */
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

test("docs/settings.md names what each setting is called in the address, the page's settings and the element, in the order of the code", () => {
  for (const [setting, names] of Object.entries(URL_NAMES))
    assert.ok(
      rows.some(([, address]) => address?.join().toLowerCase() === names.join()),
      setting,
    );
  for (const setting of new Set(SETTING_PATHS.map(([one]) => one))) {
    const paths = SETTING_PATHS.filter(([one]) => one === setting).map(([, path]) => path);
    const row = rows.find(([, , page]) => page?.join() === paths.join());
    assert.equal(
      row?.[1]!.join().toLowerCase(),
      ((URL_NAMES as Readonly<Record<string, readonly string[]>>)[setting] ?? []).join(),
      setting,
    );
  }
  for (const [, attribute] of Object.values(COMPONENT_PROPERTIES))
    assert.ok(
      rows.some(([, , , own]) => own?.join() === attribute),
      attribute,
    );
  assert.equal(
    rows.flatMap(([, address]) => address!).length,
    Object.values(URL_NAMES).flat().length,
  );
  assert.equal(
    rows.flatMap(([, , , own]) => own!).length,
    Object.keys(COMPONENT_PROPERTIES).length,
  );
});

test('the documentation names every attribute of the element, and every reason why a value does not count', () => {
  assert.ok(DonationFormElement.observedAttributes.length >= 15);
  for (const attribute of DonationFormElement.observedAttributes)
    assert.match(settings, new RegExp(`\`${attribute}[\`=]`), attribute);
  const reasons: readonly IgnoreReason[] = [...MISTAKES, 'empty', 'repeated', 'beaten'];
  const why = readFileSync('docs/why-did-my-link-not-work.md', 'utf8');
  for (const reason of reasons) assert.ok(why.includes(`| \`${reason}\` |`), reason);
});

test('the README names every event and custom property of the element', () => {
  const events = readdirSync('src/donation-form/events')
    .map((file) => readFileSync(`src/donation-form/events/${file}`, 'utf8'))
    .join('');
  const styles = readFileSync('src/donation-form/form/styles.ts', 'utf8');
  const names = [...events.matchAll(/type = '(donation-form-[a-z-]+)'/g)].map(([, name]) => name!);
  assert.ok(names.length >= 8);
  for (const name of names) assert.ok(readme.includes(`\`${name}\``), name);
  for (const property of new Set(
    [...styles.matchAll(/var\(--donation(-[a-z-]+)/g)].map(([, name]) => name!),
  ))
    assert.ok(readme.includes(`${property}\``), property);
});

test('docs/texts.md lists every text by its name', async () => {
  assert.equal(readFileSync('docs/texts.md', 'utf8'), await textsPage());
});

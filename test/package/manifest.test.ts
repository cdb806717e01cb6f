import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DONATION_FREQUENCIES } from '../../src/core/donation/frequency.ts';
import { LANGUAGES } from '../../src/core/i18n/languages.ts';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';

interface Entry {
  readonly name: string;
  readonly description?: string;
  readonly type?: { readonly text: string };
}
interface Declaration extends Record<
  'attributes' | 'slots' | 'cssParts' | 'cssProperties' | 'events',
  readonly Entry[] | undefined
> {
  readonly tagName?: string;
  readonly members?: readonly (Entry & { readonly kind: string })[];
}
const { modules } = JSON.parse(readFileSync('dist/donation-form/custom-elements.json', 'utf8')) as {
  modules: {
    path: string;
    declarations?: Declaration[];
    exports?: { kind: string; name: string }[];
  }[];
};
const element = modules
  .flatMap(({ declarations = [] }) => declarations)
  .find(({ tagName }) => tagName === 'donation-form')!;
const listNames = (items: readonly Entry[] | undefined): string[] =>
  (items ?? []).map(({ name }) => name).sort();
const sources = readdirSync('src/donation-form', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(`src/donation-form/${file}`, 'utf8'))
  .join('\n');
const findInSources = (form: RegExp): string[] =>
  [...new Set(Array.from(sources.matchAll(form), ([, name = '']) => name))].sort();

test('the custom-elements manifest lists every attribute, slot, part, custom property, and event of the element', () => {
  assert.deepEqual(
    listNames(element.attributes),
    [...DonationFormElement.observedAttributes].sort(),
  );
  assert.deepEqual(listNames(element.slots), findInSources(/<slot(?: name="([\w-]*)")?>/g));
  assert.deepEqual(listNames(element.cssParts), findInSources(/ part="([\w-]+)"/g));
  assert.deepEqual(listNames(element.cssProperties), findInSources(/var\((--donation-[\w-]+)/g));
  assert.deepEqual(listNames(element.events), findInSources(/static readonly type = '([\w-]+)'/g));
});

test('the manifest describes every entry and has no private methods', () => {
  for (const list of [
    element.attributes,
    element.slots,
    element.cssParts,
    element.cssProperties,
    element.events,
  ])
    for (const { name, description } of list ?? []) assert.ok(description, name);
  assert.deepEqual(
    element.members
      ?.filter(({ kind }) => kind === 'method')
      .map(({ name }) => name)
      .sort(),
    ['explain', 'refresh', 'reset'],
  );
});

test('the manifest has a type for every attribute and event, and its files exist', () => {
  for (const { tagName, attributes = [] } of modules.flatMap(
    ({ declarations = [] }) => declarations,
  ))
    if (tagName)
      for (const { name, type } of attributes) assert.ok(type?.text, `${tagName} ${name}`);
  for (const { name, type } of element.events ?? [])
    assert.match(
      sources,
      new RegExp(
        `class ${type!.text} extends (?:DisplayedGift|SubmittedGift|Form)Event \\{\\n +static readonly type = '${name}'`,
      ),
    );
  for (const { path } of modules) assert.ok(existsSync(`dist/donation-form/${path}`), path);
});

test('the manifest lists each module once, with only what the module exports', () => {
  assert.deepEqual(
    modules.map(({ path }) => path),
    ['lib/element.js', 'lib/index.js', 'lib/goal.js', 'lib/button.js'],
  );
  for (const { path, exports = [] } of modules) {
    const code = readFileSync(`dist/donation-form/${path}`, 'utf8');
    for (const { kind, name } of exports)
      if (kind === 'js') assert.match(code, new RegExp(`export.*\\b${name}\\b`), path);
  }
});

test('editors complete the values of attributes', () => {
  const { tags } = JSON.parse(readFileSync('dist/donation-form/html-custom-data.json', 'utf8')) as {
    tags: { attributes: { name: string; values: Entry[] }[] }[];
  };
  for (const [attribute, values] of [
    ['frequency', DONATION_FREQUENCIES],
    ['language', LANGUAGES],
    ['url-params', ['off']],
  ] as const) {
    const found = tags
      .flatMap(({ attributes }) => attributes)
      .filter(({ name }) => name === attribute);
    assert.ok(found.length > 1);
    for (const one of found)
      assert.deepEqual(
        one.values.map(({ name }) => name),
        values,
      );
  }
});

test('the VS Code and JetBrains data files contain every element and attribute of the manifest', () => {
  const { tags } = JSON.parse(readFileSync('dist/donation-form/html-custom-data.json', 'utf8')) as {
    tags: { name: string; attributes: Entry[] }[];
  };
  const webTypes = JSON.parse(readFileSync('dist/donation-form/web-types.json', 'utf8')) as {
    name: string;
    version: string;
    contributions: { html: { elements: { name: string; attributes: Entry[] }[] } };
  };
  for (const { tagName, attributes = [] } of modules
    .flatMap(({ declarations = [] }) => declarations)
    .filter(({ tagName }) => tagName)) {
    for (const list of [tags, webTypes.contributions.html.elements]) {
      const found = list.find(({ name }) => name === tagName);
      assert.deepEqual(listNames(found?.attributes), listNames(attributes), tagName);
      for (const { name, description } of found!.attributes) assert.ok(description, name);
    }
  }
  assert.deepEqual(
    [webTypes.name, webTypes.version],
    ['donation-form', DonationFormElement.version],
  );
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';

interface Named {
  readonly name: string;
  readonly description?: string;
  readonly type?: { readonly text: string };
}
interface Declaration extends Record<
  'attributes' | 'slots' | 'cssParts' | 'cssProperties' | 'events',
  readonly Named[] | undefined
> {
  readonly tagName?: string;
  readonly members?: readonly (Named & { readonly kind: string })[];
}
const { modules } = JSON.parse(readFileSync('dist/donation-form/custom-elements.json', 'utf8')) as {
  modules: { path: string; declarations?: Declaration[] }[];
};
const element = modules
  .flatMap(({ declarations = [] }) => declarations)
  .find(({ tagName }) => tagName === 'donation-form')!;
const names = (items: readonly Named[] | undefined): string[] =>
  (items ?? []).map(({ name }) => name).sort();
const sources = readdirSync('src/donation-form', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(`src/donation-form/${file}`, 'utf8'))
  .join('\n');
const inSources = (form: RegExp): string[] =>
  [...new Set(Array.from(sources.matchAll(form), ([, name = '']) => name))].sort();

test('the custom-elements manifest names every attribute, slot, part, custom property and event of the element', () => {
  assert.deepEqual(names(element.attributes), [...DonationFormElement.observedAttributes].sort());
  assert.deepEqual(names(element.slots), inSources(/<slot(?: name="(\w*)")?>/g));
  assert.deepEqual(names(element.cssParts), inSources(/ part="([\w-]+)"/g));
  assert.deepEqual(names(element.cssProperties), inSources(/var\((--donation-[\w-]+)/g));
  assert.deepEqual(names(element.events), inSources(/static readonly type = '([\w-]+)'/g));
});

test('the manifest describes all of it, and shows no private member', () => {
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

test('the manifest says the type of every attribute and event, and names files that are in the package', () => {
  for (const { tagName, attributes = [] } of modules.flatMap(
    ({ declarations = [] }) => declarations,
  ))
    if (tagName)
      for (const { name, type } of attributes) assert.ok(type?.text, `${tagName} ${name}`);
  for (const { name, type } of element.events ?? [])
    assert.match(
      sources,
      new RegExp(
        `class ${type!.text} extends (?:ShownGift)?Event \\{\\n +static readonly type = '${name}'`,
      ),
    );
  for (const { path } of modules) assert.ok(existsSync(`dist/donation-form/${path}`), path);
});

test('editors complete every element and attribute of the manifest: VS Code, and those of JetBrains', () => {
  const { tags } = JSON.parse(readFileSync('dist/donation-form/html-custom-data.json', 'utf8')) as {
    tags: { name: string; attributes: Named[] }[];
  };
  const webTypes = JSON.parse(readFileSync('dist/donation-form/web-types.json', 'utf8')) as {
    name: string;
    version: string;
    contributions: { html: { elements: { name: string; attributes: Named[] }[] } };
  };
  for (const { tagName, attributes = [] } of modules
    .flatMap(({ declarations = [] }) => declarations)
    .filter(({ tagName }) => tagName)) {
    for (const list of [tags, webTypes.contributions.html.elements]) {
      const found = list.find(({ name }) => name === tagName);
      assert.deepEqual(names(found?.attributes), names(attributes), tagName);
      for (const { name, description } of found!.attributes) assert.ok(description, name);
    }
  }
  assert.deepEqual(
    [webTypes.name, webTypes.version],
    ['donation-form', DonationFormElement.version],
  );
});

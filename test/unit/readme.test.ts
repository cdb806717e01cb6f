import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { URL_NAMES } from '../../src/settings/url.ts';

const readme = readFileSync('README.md', 'utf8');

test('the README names every URL parameter', () => {
  for (const name of Object.values(URL_NAMES).flat()) assert.match(readme, new RegExp(`\`${name}[\`=]`, 'i'), name);
});

test('the README names every event, attribute and custom property of the element', () => {
  const element = readFileSync('src/element/donation-form.ts', 'utf8'), events = readFileSync('src/element/events.ts', 'utf8'), styles = readFileSync('src/element/styles.ts', 'utf8');
  const names = [...events.matchAll(/type = '(donation-form-[a-z-]+)'/g), ...element.matchAll(/attribute: '([a-z-]+)'/g)].map(([, name]) => name!);
  assert.ok(names.length >= 6);
  for (const name of names) assert.ok(readme.includes(`\`${name}\``), name);
  for (const property of new Set([...styles.matchAll(/var\(--donation(-[a-z-]+)/g)].map(([, name]) => name!))) assert.ok(readme.includes(`${property}\``), property);
});

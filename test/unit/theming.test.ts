import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const page = readFileSync('docs/theming.md', 'utf8');
const element = readFileSync('src/donation-form/form/donation-form.ts', 'utf8');
/** The first cells of a section's table. */
const rows = (title: string): string[] =>
  [
    ...page
      .split(`## ${title}\n`)[1]!
      .split('\n## ')[0]!
      .matchAll(/^\| \[?`([^`]+)`/gm),
  ].map(([, name]) => name!);
const named = (tag: string): string[] =>
  [...element.matchAll(new RegExp(`@${tag} (\\S+)`, 'g'))].map(([, name]) => name!);
const themes = readdirSync('themes');

test('docs/theming.md has every custom property and every part of the element, in its order', () => {
  assert.ok(named('cssprop').length > 10);
  assert.deepEqual(rows('Custom properties'), named('cssprop'));
  assert.deepEqual(rows('Parts'), named('csspart'));
});

test('every custom property of the element is read by its styles, and no other', () => {
  const styles = readFileSync('src/donation-form/form/styles.ts', 'utf8');
  assert.deepEqual(
    new Set([...styles.matchAll(/var\((--donation-[a-z-]+)/g)].map(([, name]) => name)),
    new Set(named('cssprop')),
  );
});

test('docs/theming.md and the demo show every ready theme', () => {
  const classes = themes.map((file) => `theme-${file.replace('.css', '')}`);
  const demo = readFileSync('demo/site/themes.html', 'utf8');
  assert.deepEqual(rows('Ready themes').sort(), classes.sort());
  for (const name of classes)
    assert.match(demo, new RegExp(`<donation-form\\s+class="${name}"`), name);
});

for (const file of themes) {
  test(`${file} sets every colour for light and dark, and styles nothing but the form of its class`, () => {
    const theme = readFileSync(`themes/${file}`, 'utf8');
    const name = `donation-form.theme-${file.replace('.css', '')}`;
    const selectors = [...theme.matchAll(/^ {2}(donation-form[^\n{;]*) \{/gm)].map(
      ([, selector]) => selector!,
    );
    assert.ok(
      selectors.every((selector) => selector === name || selector.startsWith(`${name}::part(`)),
      selectors.join(),
    );
    for (const property of named('cssprop')) assert.ok(theme.includes(`${property}: `), property);
  });
}

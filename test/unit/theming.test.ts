import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { PART_PICTURES } from '../visual/part-pictures.ts';

const page = readFileSync('docs/reference/theming.md', 'utf8');
const element = readFileSync('src/donation-form/form/donation-form.ts', 'utf8');
/** First cells of a section's table. */
const listRows = (title: string): string[] =>
  [
    ...page
      .split(`## ${title}\n`)[1]!
      .split('\n## ')[0]!
      .matchAll(/^\| \[?`([^`]+)`/gm),
  ].map(([, name]) => name!);
const listDocumented = (tag: string): string[] =>
  [...element.matchAll(new RegExp(`@${tag} (\\S+)`, 'g'))].map(([, name]) => name!);
const themes = readdirSync('themes');

test('docs/reference/theming.md lists every custom property and part of the element, in its order', () => {
  assert.ok(listDocumented('cssprop').length > 10);
  assert.deepEqual(listRows('Custom properties'), listDocumented('cssprop'));
  assert.deepEqual(listRows('Parts'), listDocumented('csspart'));
});

test('the pictures of docs/reference/theming.md show every part, and are small', () => {
  const folder = 'docs/reference/pictures';
  assert.deepEqual(
    PART_PICTURES.flatMap(({ parts }) => parts).sort(),
    listDocumented('csspart').sort(),
  );
  const files = PART_PICTURES.map(({ name }) => `${name}.png`);
  assert.deepEqual(readdirSync(folder).sort(), files.toSorted());
  assert.deepEqual(
    [...page.matchAll(/!\[[^\]]+\]\(pictures\/([^)]+)\)/g)].map(([, file]) => file),
    files,
  );
  const bytes = files.reduce((sum, file) => sum + statSync(`${folder}/${file}`).size, 0);
  assert.ok(bytes < 300_000, `${bytes} bytes`);
});

test('docs/reference/theming.md names the parts and custom properties of the goal', () => {
  const goal = readFileSync('src/donation-form/goal/donation-goal.ts', 'utf8');
  const names = [...goal.matchAll(/@(?:csspart|cssprop) (\S+)/g)].map(([, name]) => name!);
  assert.ok(names.length >= 5);
  const sentences = page.split(/(?<=[.\n])\s/).filter((text) => text.includes('`<donation-goal>`'));
  for (const name of names) assert.ok(sentences.join().includes(`\`${name}\``), name);
});

test("the styles use exactly the element's documented custom properties", () => {
  const styles = ['theme-styles.ts', 'styles.ts', 'skeleton-styles.ts', 'late-styles.ts']
    .map((file) => readFileSync(`src/donation-form/form/${file}`, 'utf8'))
    .join('');
  assert.deepEqual(
    new Set([...styles.matchAll(/var\((--donation-[a-z-]+)/g)].map(([, name]) => name)),
    new Set(listDocumented('cssprop')),
  );
});

test('docs/reference/theming.md and the demo show every built-in theme', () => {
  const classes = themes.map((file) => `theme-${file.replace('.css', '')}`);
  const demo = readFileSync('demo/site/themes.html', 'utf8');
  assert.deepEqual(listRows('Ready themes').sort(), classes.sort());
  for (const name of classes)
    assert.match(demo, new RegExp(`<donation-form\\s+class="${name}"`), name);
});

for (const file of themes) {
  test(`${file} sets every color for light and dark mode, and only for its class`, () => {
    const theme = readFileSync(`themes/${file}`, 'utf8');
    const name = `donation-form:where(.theme-${file.replace('.css', '')})`;
    const selectors = [...theme.matchAll(/^ {2}(donation-form[^\n{;]*) \{/gm)].map(
      ([, selector]) => selector!,
    );
    assert.ok(
      selectors.every((selector) => selector === name || selector.startsWith(`${name}::part(`)),
      selectors.join(),
    );
    for (const property of listDocumented('cssprop'))
      assert.ok(theme.includes(`${property}:`), property);
  });
}

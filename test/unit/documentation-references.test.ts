import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { extractTableRows } from '../markdown-table.ts';

/** Matches the path of a page, such as `docs/server/runbook.md#donationformdown`. */
const PATH =
  /\b(?:docs\/)?((?:install|campaigns|server|reference|evidence)\/[\w-]+\.md)(?:#([\w-]+))?/g;

/** Matches the numbers of rules, such as `rule 43`, `rules 37 to 41`, or `rules 3, 11, and 12`. */
const RULES = /\brules? (\d+(?:(?:, and |, | and | to )\d+)*)/gi;

test('source code and deployment files name only existing pages and headings of the documentation', () => {
  const files = globSync(['src/**/*.ts', 'deploy/**/*.yml']);
  const paths = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(PATH)].map(([, page = '', anchor]) => ({
      file,
      page: `docs/${page}`,
      anchor,
    })),
  );
  assert.ok(paths.length > 50);
  assert.ok(paths.some(({ anchor }) => anchor === 'payment-statuses'));
  assert.deepEqual(
    paths.filter(({ page, anchor }) => !existsSync(page) || !hasHeading(page, anchor)),
    [],
  );
});

test('source code and tests name only rules of the page about the embedded form', () => {
  const rules = extractTableRows(
    readFileSync('docs/contributing/embedded-form-rules.md', 'utf8'),
  ).map(([number]) => Number(number));
  assert.deepEqual(
    rules,
    [...rules.keys()].map((index) => index + 1),
  );
  const named = globSync('{src,test}/**/*.ts', { exclude: ['**/node_modules'] }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(RULES)].flatMap(([, numbers]) =>
      numbers!.match(/\d+/g)!.map((number) => ({ file, rule: Number(number) })),
    ),
  );
  assert.deepEqual(
    named.filter(({ rule }) => !rules.includes(rule)),
    [],
  );
  assert.deepEqual(
    rules.filter((rule) => !named.some((name) => name.rule === rule)),
    [],
  );
});

/** Returns true if the page has a heading with the anchor, or if there is no anchor. */
function hasHeading(page: string, anchor: string | undefined): boolean {
  const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)];
  return (
    anchor === undefined ||
    headings.some(([, heading]) => heading!.toLowerCase().replaceAll(' ', '-') === anchor)
  );
}

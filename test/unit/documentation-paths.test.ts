import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Matches the path of a page, such as `docs/server/runbook.md#donationformdown`. */
const PATH =
  /\b(?:docs\/)?((?:install|campaigns|server|reference|evidence)\/[\w-]+\.md)(?:#([\w-]+))?/g;

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

/** Returns true if the page has a heading with the anchor, or if there is no anchor. */
function hasHeading(page: string, anchor: string | undefined): boolean {
  const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)];
  return (
    anchor === undefined ||
    headings.some(([, heading]) => heading!.toLowerCase().replaceAll(' ', '-') === anchor)
  );
}

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findBrokenLinks } from '../../website/find-broken-links.ts';
import { markdown, REPOSITORY, rewriteMarkdown, toPagePath } from '../../website/markdown.ts';
import { buildNavigation, findNeighbors } from '../../website/navigation.ts';
import { createSearchIndex } from '../../website/search-index.ts';

const PAGE = { page: { inputPath: './docs/install/html.md' } };

test('links lead to pages of the site, its files, and otherwise to the repository', () => {
  const html = markdown.render(
    '[a](README.md) [b](../server/debian.md#keys) [c](../demo.png) [d](../../LICENSE) [e](#f)',
    PAGE,
  );
  assert.deepEqual(
    [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href),
    ['../', '../../server/debian/#keys', '../../demo.png', `${REPOSITORY}/blob/main/LICENSE`, '#f'],
  );
});

test("a page's Markdown keeps links to pages, and links to the repository otherwise", () => {
  assert.equal(
    rewriteMarkdown(
      '[a](html.md) [b](../../LICENSE) [c](../server/debian.md#keys)',
      'install/x.md',
    ),
    `[a](html.md) [b](${REPOSITORY}/blob/main/LICENSE) [c](../server/debian.md#keys)`,
  );
});

test('headings have the anchors that they have on GitHub', () => {
  const html = markdown.render("# The form's `id`\n\n## Keys\n\n## Keys\n", PAGE);
  assert.deepEqual(
    [...html.matchAll(/id="([^"]+)"/g)].map(([, id]) => id),
    ['the-forms-id', 'keys', 'keys-1'],
  );
});

test('a header cell without text is no header', () => {
  const html = markdown.render('|  | b |\n| --- | --- |\n| c | d |\n', PAGE);
  assert.match(html, /<td><\/td>\s*<th>b<\/th>/);
});

test('the build names links to missing pages, files, and headings', () => {
  const page = '<h2 id="keys">Keys</h2><a href="../#top"></a><a href="#keys"></a><img src="x.png">';
  const pages = [
    { url: '', html: '<p id="top"></p><a href="install/#lock"></a><a href="server/"></a>' },
    { url: 'install/', html: page },
  ];
  assert.deepEqual(findBrokenLinks('docs', pages), [
    '/ links to install/#lock, which does not exist.',
    '/ links to server/, which does not exist.',
    '/install/ links to x.png, which does not exist.',
  ]);
});

test('emails and snippets wrap, and names can break only after their dots', () => {
  const html = markdown.render(
    '```text\nHello\n```\n\n```sh\nls\n```\n\n`giftInfo.amount` `1.5`',
    PAGE,
  );
  assert.match(html, /<pre tabindex="0" class="wrapped"><code>Hello/);
  assert.match(html, /<pre tabindex="0"><code>(?:<[^>]+>)?ls/);
  assert.match(html, /<code>giftInfo\.<wbr>amount<\/code> <code>1\.5<\/code>/);
});

test('the search finds the page about languages first', () => {
  const pages = globSync('docs/**/*.md').map((path) => ({
    path: toPagePath(path),
    source: readFileSync(path, 'utf8'),
  }));
  const index = createSearchIndex(pages);
  for (const query of ['german', 'language', 'languages'])
    assert.equal(index.search(query)[0]?.id, 'reference/settings/#languages', query);
});

test('pages follow each other in the order of the links in README.md, and then by title', () => {
  const folders = buildNavigation([
    { path: 'install/a.md', source: '# Angular' },
    { path: 'install/html.md', source: '# HTML' },
    { path: 'install/README.md', source: '# Start\n\n[second](wix.md) [third](html.md)' },
    { path: 'install/wix.md', source: '# Wix' },
    { path: 'server/debian.md', source: '# Debian' },
  ]);
  assert.deepEqual(
    folders.flatMap(({ pages }) => pages).map(({ title }) => title),
    ['Start', 'Wix', 'HTML', 'Angular', 'Debian'],
  );
  const { previous, next } = findNeighbors(folders, 'install/a.md');
  assert.deepEqual([previous?.title, next?.title], ['HTML', 'Debian']);
});

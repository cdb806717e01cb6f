import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { findThirdPartyPackages, formatNotices } from '../scripts/third-party.ts';
import { recordDemo } from './demo/record-demo.ts';
import { findBrokenLinks } from './find-broken-links.ts';
import { rewriteMarkdown, toPageUrl } from './markdown.ts';
import { buildNavigation, type SourcePage } from './navigation.ts';
import { POLICY } from './policy.ts';
import { createSearchIndex } from './search-index.ts';
import { readSections, readTitle, summarize } from './sections.ts';

interface RenderedPage extends SourcePage {
  readonly html: string;
}

interface CompleteSiteOptions {
  /** Folder of the site, with the rendered pages. */
  readonly folder: string;
  readonly pages: readonly RenderedPage[];
  /** If true, broken links are only printed: the page that they name may not be written yet. */
  readonly isPreview: boolean;
}

/**
 * Adds what is not a page: the Markdown of each page, `llms.txt`, the search index, the scripts, the
 * recording for the demo form, and the headers.
 * @throws {Error} if a page links to a page, file, or heading that does not exist.
 */
export async function completeSite({
  folder,
  pages,
  isPreview,
}: CompleteSiteOptions): Promise<void> {
  const write = async (path: string, text: string): Promise<void> => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  await Promise.all([
    ...pages.map(({ path, source }) => write(path, rewriteMarkdown(source, path))),
    write('llms.txt', listPages(pages)),
    write('search.json', JSON.stringify(createSearchIndex(pages))),
    write('_headers', formatHeaders()),
    buildScripts(folder).then((notices) => write('THIRD-PARTY-NOTICES.txt', notices)),
    recordDemo().then((recording) => write('demo.json', JSON.stringify(recording))),
  ]);
  const broken = findBrokenLinks(
    folder,
    pages.map(({ path, html }) => ({ url: toPageUrl(path), html })),
  );
  if (broken.length === 0) return;
  if (!isPreview) throw new Error(broken.join('\n'));
  for (const problem of broken) console.warn(problem);
}

/** Lists all pages for programs that read Markdown, in the format of llmstxt.org. */
function listPages(pages: readonly SourcePage[]): string {
  const toLine = ({ path, source }: SourcePage): string => {
    const sections = readSections(source);
    return `- [${readTitle(sections)}](${path}): ${summarize(sections)}`;
  };
  const bySource = new Map(pages.map((page) => [page.path, page]));
  const folders = buildNavigation(pages);
  const lines = [
    '# donation-form',
    '',
    '> A donation form for any website, and the small server behind it. Each link leads to Markdown.',
    '',
    '## Start',
    '',
    ...pages.filter(({ path }) => !path.includes('/')).map(toLine),
  ];
  for (const { name, title, pages: listed } of folders) {
    const paths = new Set(listed.map(({ path }) => path));
    const others = pages.filter(({ path }) => path.startsWith(`${name}/`) && !paths.has(path));
    lines.push('', `## ${title}`, '');
    lines.push(...[...listed.map(({ path }) => bySource.get(path)!), ...others].map(toLine));
  }
  return `${lines.join('\n')}\n`;
}

/** Formats the headers for hosts that read this file. GitHub Pages has only the policy in the page. */
function formatHeaders(): string {
  return [
    '/*',
    `  Content-Security-Policy: ${POLICY}; frame-ancestors 'none'`,
    '  Referrer-Policy: strict-origin-when-cross-origin',
    '  X-Content-Type-Options: nosniff',
    '',
  ].join('\n');
}

/**
 * Bundles the scripts of the pages.
 * @returns the notices of the packages in them.
 */
async function buildScripts(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: { site: 'website/browser/site.ts', demo: 'website/browser/demo.ts' },
    platform: 'browser',
    tsconfig: false,
    checks: { bundlerTimings: false },
  });
  const { output } = await bundle.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[name].js',
    minify: true,
    comments: false,
  });
  await bundle.close();
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  return formatNotices(findThirdPartyPackages(modules));
}

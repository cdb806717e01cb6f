import { posix } from 'node:path';
import { toPageUrl } from './markdown.ts';
import { readSections, readTitle } from './sections.ts';

/** The folders of pages in the order of the navigation, with their titles. */
const FOLDERS: Readonly<Record<string, string>> = {
  install: 'Put it on your site',
  campaigns: 'Run campaigns',
  server: 'Run the server',
  reference: 'Look something up',
  evidence: 'Evidence',
  contributing: 'Contributing',
};

export interface SourcePage {
  /** Path in the folder of the pages, such as `install/html.md`. */
  readonly path: string;
  /** Markdown. */
  readonly source: string;
}

export interface NavigationPage {
  readonly path: string;
  /** URL, relative to the site's root. */
  readonly url: string;
  readonly title: string;
}

export interface NavigationFolder {
  readonly name: string;
  readonly title: string;
  readonly pages: readonly NavigationPage[];
}

/**
 * Sorts pages into folders. A folder begins with its README.md, and continues with its pages in the
 * order in which README.md links to them, and then by title. Pages in subfolders are reached from
 * the pages that link to them.
 */
export function buildNavigation(sources: readonly SourcePage[]): NavigationFolder[] {
  return Object.entries(FOLDERS).map(([name, title]) => {
    const index = sources.find(({ path }) => path === `${name}/README.md`);
    const rank = ({ path }: NavigationPage): number => {
      if (path === index?.path) return -1;
      const position = index?.source.indexOf(`](${posix.basename(path)}`) ?? -1;
      return position < 0 ? Infinity : position;
    };
    const pages = sources
      .filter(({ path }) => posix.dirname(path) === name)
      .map(({ path, source }) => ({
        path,
        url: toPageUrl(path),
        title: readTitle(readSections(source)),
      }))
      .sort((a, b) => compare(rank(a), rank(b)) || a.title.localeCompare(b.title, 'en'));
    return { name, title, pages };
  });
}

/** Compares numbers, which may both be infinite. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** Returns the pages before and after a page, across folders. */
export function findNeighbors(
  folders: readonly NavigationFolder[],
  path: string,
): { readonly previous?: NavigationPage; readonly next?: NavigationPage } {
  const pages = folders.flatMap((folder) => folder.pages);
  const index = pages.findIndex((page) => page.path === path);
  const previous = pages[index - 1];
  const next = index < 0 ? undefined : pages[index + 1];
  return { ...(previous && { previous }), ...(next && { next }) };
}

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

interface HtmlPage {
  /** URL, relative to the site's root. */
  readonly url: string;
  readonly html: string;
}

/** Finds links and images whose page, file, or heading does not exist in the site. */
export function findBrokenLinks(folder: string, pages: readonly HtmlPage[]): string[] {
  const anchors = new Map(
    pages.map(({ url, html }) => [url, new Set(findAll(html, /\s(?:id|name)="([^"]+)"/g))]),
  );
  return pages.flatMap(({ url, html }) =>
    [...new Set(findAll(html, /\s(?:href|src)="([^"]+)"/g))]
      .filter((link) => !/^[a-z]+:/i.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? url : posix.join('/', url, path).slice(1);
        const known = anchors.get(target);
        if (!known) return !existsSync(join(folder, target)) || target.endsWith('/');
        return anchor !== undefined && !known.has(decodeURIComponent(anchor));
      })
      .map((link) => `/${url} links to ${link}, which does not exist.`),
  );
}

function findAll(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, value]) => value!.replaceAll('&amp;', '&'));
}

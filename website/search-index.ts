import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from './browser/search-options.ts';
import { toPageUrl } from './markdown.ts';
import type { SourcePage } from './navigation.ts';
import { readSections, readTitle } from './sections.ts';

/** Creates the search index: one entry for each section of each page. */
export function createSearchIndex(pages: readonly SourcePage[]): MiniSearch {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  for (const { path, source } of pages) {
    const sections = readSections(source);
    const page = readTitle(sections);
    for (const { id, title, text } of sections)
      index.add({ id: toPageUrl(path) + (id && `#${id}`), page, title, text });
  }
  return index;
}

import type { Options } from 'minisearch';

export interface SearchEntry {
  /** URL, relative to the site's root. */
  readonly id: string;
  /** Title of the page. */
  readonly page: string;
  /** Title of the section. */
  readonly title: string;
  readonly text: string;
}

/** Options with which the build writes the index and the browser reads it. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['page', 'title'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    // Guides and reference come before what only the project's own people read.
    boostDocument: (id) => (/^(evidence|contributing)\//.test(String(id)) ? 0.25 : 1),
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
  },
};

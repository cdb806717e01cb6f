import MiniSearch, { type SearchResult } from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from './search-options.ts';

const MAX_RESULTS = 8;

/** Shows the search field, and loads the index when the visitor first uses it. */
export function startSearch(search: HTMLElement): void {
  const root = search.dataset.root!;
  const input = search.querySelector('input')!;
  const results = search.querySelector<HTMLElement>('.results')!;
  const status = results.querySelector('p')!;
  const list = results.querySelector('ul')!;
  let index: Promise<MiniSearch<SearchEntry>> | undefined;
  search.hidden = false;

  async function showResults(): Promise<void> {
    const query = input.value.trim();
    index ??= loadIndex(new URL(`${root}search.json`, document.baseURI));
    const found = query === '' ? [] : (await index).search(query);
    // The visitor may have typed on while the index was loading.
    if (query !== input.value.trim()) return;
    list.replaceChildren(...found.slice(0, MAX_RESULTS).map((result) => createItem(root, result)));
    status.textContent = found.length === 0 ? `No page has “${query}”.` : formatCount(found.length);
    results.hidden = query === '';
  }

  input.addEventListener('focus', () => void showResults());
  input.addEventListener('input', () => void showResults());
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (!search.contains(relatedTarget as Node | null)) results.hidden = true;
  });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      results.hidden = true;
      input.focus();
    }
    if (event.key === 'Enter' && event.target === input) list.querySelector('a')?.click();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [input, ...list.querySelectorAll('a')];
    stops
      .at((stops.indexOf(document.activeElement as HTMLInputElement) + step) % stops.length)
      ?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).closest('input, textarea, select, donation-form');
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    input.focus();
  });
}

async function loadIndex(url: URL): Promise<MiniSearch<SearchEntry>> {
  const response = await fetch(url);
  return MiniSearch.loadJSON<SearchEntry>(await response.text(), SEARCH_OPTIONS);
}

function createItem(root: string, { id, title, page }: SearchResult): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = root + (id as string);
  link.textContent = title as string;
  if (page !== title) {
    const context = document.createElement('span');
    context.textContent = page as string;
    link.append(context);
  }
  item.append(link);
  return item;
}

function formatCount(count: number): string {
  return count > MAX_RESULTS ? `First ${MAX_RESULTS} of ${count} results` : `${count} results`;
}

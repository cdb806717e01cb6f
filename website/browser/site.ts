/** Script of every page: search, and a button that copies each code block. */
import { addCopyButtons } from './copy-buttons.ts';
import { startSearch } from './search.ts';

addCopyButtons();
startSearch(document.querySelector<HTMLElement>('.search')!);

import { FRAGMENT_PARAMETER } from '@donation-form/core/url';
import { tryStorage } from './session-storage.ts';

const STORAGE_KEY = 'donation-form-fragment';

/** Saves the fragment before the donor leaves the page, because a return URL has none. */
export function saveFragment(): void {
  tryStorage(() => sessionStorage.setItem(STORAGE_KEY, location.pathname + location.hash));
}

export function clearSavedFragment(): void {
  tryStorage(() => sessionStorage.removeItem(STORAGE_KEY));
}

/** Routers and `:target` do not notice a changed history entry. */
export function restoreFragment(): void {
  tryStorage(() => {
    const [path, ...fragment] = sessionStorage.getItem(STORAGE_KEY)!.split('#');
    const url = new URL(location.href);
    if (!url.searchParams.has(FRAGMENT_PARAMETER) || path !== url.pathname) return;
    clearSavedFragment();
    url.hash = fragment.join('#');
    if (url.hash) location.replace(url.href);
  });
}

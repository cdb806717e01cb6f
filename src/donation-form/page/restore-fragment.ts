import { tryStorage } from './session-storage.ts';

const STORAGE_KEY = 'donation-form-fragment';

/** True if this document saved its fragment, so the donor has not returned to it from elsewhere. */
let hasSaved = false;

/**
 * Saves the fragment of the page's URL. Call before the donor leaves the page, because a return URL
 * has no fragment.
 */
export function saveFragment(): void {
  hasSaved = true;
  tryStorage(() => sessionStorage.setItem(STORAGE_KEY, location.pathname + location.hash));
}

export function clearSavedFragment(): void {
  tryStorage(() => sessionStorage.removeItem(STORAGE_KEY));
}

/**
 * Navigates to the saved fragment after the donor returns to the page. A donor who opens another
 * fragment has not returned. Routers and `:target` do not notice a changed history entry.
 */
export function restoreFragment(): void {
  tryStorage(() => {
    const [path, ...fragment] = sessionStorage.getItem(STORAGE_KEY)!.split('#');
    if (hasSaved || path !== location.pathname) return;
    clearSavedFragment();
    const url = new URL(location.href);
    if (url.hash && url.hash !== '#/') return;
    url.hash = fragment.join('#');
    if (url.hash && url.href !== location.href) location.replace(url.href);
  });
}

import { tryStorage } from '../page/session-storage.ts';

/** Where the key of the gift stands of which a page of this tab heard last. */
const LAST = 'donation-form-told';

/** The keys of gifts of which this page has heard. */
const told = new Set<string>();

/**
 * Whether the page has heard what came of a gift. A form that left while it sent one, the next
 * form, and a page that was loaded anew may all learn of it.
 */
export function wasAnnounced(key: string): boolean {
  return told.has(key) || tryStorage(() => sessionStorage.getItem(LAST)) === key;
}

export function markAnnounced(key: string): void {
  told.add(key);
  tryStorage(() => sessionStorage.setItem(LAST, key));
}

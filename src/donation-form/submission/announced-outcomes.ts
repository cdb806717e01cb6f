import { tryStorage } from '../page/session-storage.ts';

/** sessionStorage key of the idempotency key that was announced last in this tab. */
const LAST_KEY = 'donation-form-announced';

/** Idempotency keys whose outcome was announced on this page. */
const announcedKeys = new Set<string>();

/**
 * Returns true if the page was notified of the outcome. A form that was removed during submission,
 * its successor, and a reloaded page may all receive the same outcome.
 */
export function wasAnnounced(key: string): boolean {
  return announcedKeys.has(key) || tryStorage(() => sessionStorage.getItem(LAST_KEY)) === key;
}

export function markAnnounced(key: string): void {
  announcedKeys.add(key);
  tryStorage(() => sessionStorage.setItem(LAST_KEY, key));
}

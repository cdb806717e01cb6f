import { tryStorage } from '../page/session-storage.ts';
import { stringifyJson } from '../page/stringify-json.ts';

/** Storage key for the announcement markers, and name of the lock that protects the markers. */
const NAME = 'donation-form-announced';
const MAX_MARKERS = 20;

const announcedKeys = new Set<string>();

/** `sessionStorage` helps if the site's `localStorage` is full. */
const STORAGES = [() => localStorage, () => sessionStorage];

/** Returns true if the donation has already been announced on this site. */
export async function wasAnnounced(key: string): Promise<boolean> {
  return (
    announcedKeys.has(key) ||
    readAnnouncementMarkers().includes(await createAnnouncementMarker(key))
  );
}

/**
 * Returns true only for the first call across reloads and tabs, or per page load if the browser
 * denies access to storage (rule 51).
 */
export async function claimAnnouncement(key: string): Promise<boolean> {
  if (announcedKeys.has(key)) return false;
  announcedKeys.add(key);
  const marker = await createAnnouncementMarker(key);
  const claim = (): boolean => {
    const markers = readAnnouncementMarkers();
    if (markers.includes(marker)) return false;
    const json = stringifyJson([...markers, marker].slice(-MAX_MARKERS));
    for (const getStorage of STORAGES) tryStorage(() => getStorage().setItem(NAME, json));
    return true;
  };
  // The browser may deny access to locks, as in sandboxed frames.
  return navigator.locks.request(NAME, claim).catch(claim);
}

function readAnnouncementMarkers(): unknown[] {
  return STORAGES.flatMap((getStorage) => {
    const markers = tryStorage(() => JSON.parse(getStorage().getItem(NAME)!) as unknown);
    return Array.isArray(markers) ? (markers as unknown[]) : [];
  });
}

/** Hashes the key, because it gives access to the donation's outcome. */
async function createAnnouncementMarker(key: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  return btoa(String.fromCharCode(...new Uint8Array(hash, 0, 12)));
}

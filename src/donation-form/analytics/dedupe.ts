/** Storage key shared by all tabs of a site. */
const STORAGE_KEY = 'donation-form-sent';
const MAX_ENTRIES = 100;
/** 90 days, in milliseconds. */
const MAX_AGE = 7_776_000_000;

/** A sent event and its time in milliseconds since 1970. */
type SentEvent = readonly [name: string, at: number];

/** Events sent from this page. Needed if the browser denies access to storage. */
let knownEvents: readonly SentEvent[] = [];

/**
 * Records an event as sent. Returns false if another page or tab of this site has already sent it.
 */
export function recordIfNew(name: string, storage = () => localStorage, now = Date.now()): boolean {
  const sentEvents = [...knownEvents, ...readSentEvents(storage)].filter(
    ([, at]) => now - at < MAX_AGE,
  );
  if (sentEvents.find(([sentName]) => sentName === name)) return false;
  knownEvents = [...new Map([...sentEvents, [name, now]])].slice(-MAX_ENTRIES);
  try {
    storage().setItem(STORAGE_KEY, JSON.stringify(knownEvents));
  } catch {
    // The event is then deduplicated per page only.
  }
  return true;
}

/** Ignores values that another script stored under this key. */
function readSentEvents(storage: () => Storage): readonly SentEvent[] {
  try {
    return (JSON.parse(storage().getItem(STORAGE_KEY)!) as unknown[]).filter(
      (entry): entry is SentEvent => Array.isArray(entry),
    );
  } catch {
    return [];
  }
}

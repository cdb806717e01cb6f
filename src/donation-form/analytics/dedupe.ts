import { stringifyJson } from '../page/stringify-json.ts';

const STORAGE_KEY = 'donation-form-sent';
const MAX_ENTRIES = 100;
/** 90 days, in milliseconds. */
const MAX_AGE = 7_776_000_000;

type SentEvent = readonly [name: string, at: number];

/** For browsers that deny access to storage. */
let knownEvents: readonly SentEvent[] = [];

/** Returns false if any page or tab of this site has already sent the event. */
export function recordEvent(name: string, storage = () => localStorage, now = Date.now()): boolean {
  const sentEvents = [...knownEvents, ...readSentEvents(storage)].filter(
    ([, at]) => now - at < MAX_AGE,
  );
  if (sentEvents.find(([sentName]) => sentName === name)) return false;
  knownEvents = [...new Map([...sentEvents, [name, now]])].slice(-MAX_ENTRIES);
  try {
    storage().setItem(STORAGE_KEY, stringifyJson(knownEvents));
  } catch {
    // The event is then deduplicated per page only.
  }
  return true;
}

/** Ignores invalid entries, because another script might use the same key. */
function readSentEvents(storage: () => Storage): readonly SentEvent[] {
  try {
    return (JSON.parse(storage().getItem(STORAGE_KEY)!) as unknown[]).filter(
      (entry): entry is SentEvent => Array.isArray(entry),
    );
  } catch {
    return [];
  }
}

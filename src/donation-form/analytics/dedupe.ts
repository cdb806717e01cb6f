/** Where it is kept what was sent: for all tabs of a site. */
const PLACE = 'donation-form-sent';
const MOST = 100;
/** In milliseconds: 90 days. */
const KEPT = 7_776_000_000;

/** What was sent and when, in milliseconds since 1970. */
type Sent = readonly [name: string, at: number];

/** As this page knows it: browsers may refuse storage. */
let known: readonly Sent[] = [];

/**
 * Whether something is sent for the first time, over all reloads and tabs; from now on it is not.
 */
export function isFirst(name: string, storage = () => localStorage, now = Date.now()): boolean {
  const sent = [...known, ...read(storage)].filter(([, at]) => now - at < KEPT);
  if (sent.find(([one]) => one === name)) return false;
  known = [...new Map([...sent, [name, now]])].slice(-MOST);
  try {
    storage().setItem(PLACE, JSON.stringify(known));
  } catch {
    // Then it is once a page.
  }
  return true;
}

/** What somebody else may have written there is nothing. */
function read(storage: () => Storage): readonly Sent[] {
  try {
    return (JSON.parse(storage().getItem(PLACE)!) as unknown[]).filter((one): one is Sent =>
      Array.isArray(one),
    );
  } catch {
    return [];
  }
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * How long after a try that failed the next one is made: the schedule that Standard Webhooks
 * suggests, for a day and a third.
 */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR];
/** No try is made later than this after the event, also where tries were held up. */
const MAX_DURATION = 36 * HOUR;
/** How much is added at random, so that those that failed together do not come together again. */
const JITTER = 0.1;

/**
 * When a message is tried again; `undefined` where it is given up.
 * @param failures with the last one. @param createdAt of the event's message. @param notBefore
 *   what the receiver asked for.
 */
export function calculateNextAttempt(
  {
    failures,
    createdAt,
    now,
    notBefore = 0,
  }: {
    readonly failures: number;
    readonly createdAt: number;
    readonly now: number;
    readonly notBefore?: number | undefined;
  },
  random = Math.random,
): number | undefined {
  const delay = DELAYS[failures - 1];
  if (delay === undefined) return undefined;
  const at = Math.max(now + delay * (1 + JITTER * random()), notBefore);
  return at > createdAt + MAX_DURATION ? undefined : Math.round(at);
}

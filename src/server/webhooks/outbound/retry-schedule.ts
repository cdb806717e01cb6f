const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Delays between attempts, in milliseconds, as suggested by Standard Webhooks. These delays spread
 * eight attempts over about 32 hours.
 */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR];
/**
 * Maximum age of a message at its last attempt, in milliseconds, even if earlier attempts were
 * delayed.
 */
const MAX_AGE = 36 * HOUR;
/**
 * Maximum random addition to a delay, as a fraction of the delay. Spreads out messages that failed
 * together.
 */
const JITTER = 0.1;

/**
 * Calculates when to retry a message. All times are in milliseconds since 1970.
 * @param options.failures number of failed attempts, at least 1.
 * @param options.createdAt creation time of the message.
 * @param options.notBefore end of the pause that the endpoint requested.
 * @param random function that returns a random number from 0 to 1.
 * @returns the time of the next attempt, or `undefined` if no attempts are left.
 */
export function calculateNextAttemptTime(
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
  return at > createdAt + MAX_AGE ? undefined : Math.round(at);
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds, as suggested by Standard Webhooks: eight attempts in 32 hours. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR];
/** Maximum age of a message at its last attempt, in milliseconds. */
const MAX_AGE = 36 * HOUR;
/**
 * Maximum random addition to a delay, as a fraction of the delay. Spreads out messages that failed
 * together.
 */
const JITTER = 0.1;

/**
 * Calculates when to retry, or returns `undefined` if no attempts are left. Times are in
 * milliseconds since 1970.
 * @param attempt.failures number of failed attempts, at least 1.
 * @param attempt.createdAt by default now, so that only the number of attempts is limited.
 * @param attempt.notBefore end of the pause that the endpoint requested.
 */
export function calculateNextAttemptTime(
  attempt: { failures: number; createdAt?: number; now: number; notBefore?: number | undefined },
  random = Math.random,
): number | undefined {
  const { failures, now, createdAt = now, notBefore = 0 } = attempt;
  const delay = DELAYS[failures - 1];
  if (delay === undefined) return undefined;
  const at = Math.max(now + delay * (1 + JITTER * random()), notBefore);
  return at > createdAt + MAX_AGE ? undefined : Math.round(at);
}

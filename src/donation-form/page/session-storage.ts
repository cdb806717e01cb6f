/** Prefix of the sessionStorage keys that hold idempotency keys. */
export const IDEMPOTENCY_KEY_PREFIX = 'donation-form ';

/** Returns true if a form in this tab may have a donation whose outcome is unknown. */
export function hasStoredIdempotencyKey(): boolean {
  return (
    tryStorage(() =>
      Object.keys(sessionStorage).some((name) => name.startsWith(IDEMPOTENCY_KEY_PREFIX)),
    ) ?? false
  );
}

/**
 * Returns the result of a call to storage or history, or `undefined` if the browser denies it: in a
 * sandboxed frame, because of its settings, or because storage is full.
 */
export function tryStorage<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

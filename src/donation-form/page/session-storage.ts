/** What begins the name of an attempt in sessionStorage. */
export const ATTEMPT = 'donation-form ';

/** Whether a form of this tab may have been left while its gift was under way. */
export function hasOpenAttempt(): boolean {
  return (
    tryStorage(() => Object.keys(sessionStorage).some((name) => name.startsWith(ATTEMPT))) ?? false
  );
}

/**
 * What an access to storage or history gives; `undefined` where the browser refuses it: in a
 * sandboxed frame, or set to, or full.
 */
export function tryStorage<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

/** Prefix of the `sessionStorage` keys for idempotency keys. */
export const IDEMPOTENCY_KEY_PREFIX = 'donation-form ';

/** Returns true if a form in this tab might have a donation without a final outcome. */
export function hasStoredIdempotencyKey(): boolean {
  return (
    tryStorage(() =>
      Object.keys(sessionStorage).some((name) => name.startsWith(IDEMPOTENCY_KEY_PREFIX)),
    ) ?? false
  );
}

/** Access to storage and history can throw because of a sandbox, the settings, or full storage. */
export function tryStorage<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

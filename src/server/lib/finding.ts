/**
 * One thing that was tried. ok: it works · wrong: it does not, and `detail` says what to do ·
 * untried: it could not be tried from here.
 */
export interface Finding {
  /** Such as `platform key`. */
  readonly about: string;
  readonly state: 'ok' | 'wrong' | 'untried';
  /** What was found, and what to do; never a secret. */
  readonly detail: string;
  /** The origin under which the processor reaches this endpoint, where that was learned. */
  readonly endpoint?: string;
}

export const ok = (about: string, detail: string): Finding => ({ about, state: 'ok', detail });
export const wrong = (about: string, detail: string): Finding => ({
  about,
  state: 'wrong',
  detail,
});
export const untried = (about: string, detail: string): Finding => ({
  about,
  state: 'untried',
  detail,
});

/**
 * What the runtime says of a failed connection, such as `ECONNREFUSED`; else the error's own words.
 * Stripe's errors have theirs in `detail`.
 */
export function reasonOf(error: unknown): string {
  const {
    message,
    code,
    detail,
    cause = detail,
  } = error as Error & { code?: unknown; detail?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  return cause instanceof Error ? reasonOf(cause) : message;
}

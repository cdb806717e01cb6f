import { ApiError, createErrorDetail } from './api-error.ts';

export type Responder = () => Response;

interface Entry {
  readonly expiresAt: number;
  /** Missing while the first request is in progress. */
  respond?: Responder;
}

/**
 * First results by `PayPal-Request-Id` and call
 * (developer.paypal.com/api/rest/reference/idempotency). A repeated call ignores its body and
 * returns the current state of the object that the first call created.
 */
export class IdempotencyKeys {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * Returns the responder of an earlier request, or `undefined` for a new key, which is then in
   * use.
   * @param lifetime time to store the key, in milliseconds.
   * @throws ApiError while the first request is in progress.
   */
  claimKey(key: string, lifetime: number): Responder | undefined {
    const time = this.#now().getTime();
    const entry = this.#entries.get(key);
    if (!entry || entry.expiresAt <= time) {
      this.#entries.set(key, { expiresAt: time + lifetime });
      return undefined;
    }
    if (!entry.respond)
      throw new ApiError(409, [createErrorDetail('PREVIOUS_REQUEST_IN_PROGRESS')]);
    return entry.respond;
  }

  saveResponder(key: string, respond: Responder): void {
    const entry = this.#entries.get(key);
    if (entry) entry.respond = respond;
  }

  /** Releases a key, as if the call had never arrived. */
  releaseKey(key: string): void {
    this.#entries.delete(key);
  }

  /** Deletes all keys, as PayPal does when they expire. */
  deleteAllKeys(): void {
    this.#entries.clear();
  }
}

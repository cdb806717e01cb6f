import { ApiError, createErrorDetail } from './api-error.ts';

export type Responder = () => Response;

interface Entry {
  readonly expiresAt: number;
  /** Undefined while the first request is in progress. */
  respond?: Responder;
}

/**
 * Stores the first result for each `PayPal-Request-Id` and call
 * (developer.paypal.com/api/rest/reference/idempotency). For a repeated call, the API ignores the
 * request body and returns the current state of the object that the first call created.
 */
export class IdempotencyKeys {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * Returns the responder saved by an earlier request with the same key. If the key is new, claims
   * the key and returns `undefined`.
   * @param lifetime storage time of the key, in milliseconds.
   * @throws ApiError if the first request is still in progress.
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

  /** Releases a key, as if the call with the key had never arrived. */
  releaseKey(key: string): void {
    this.#entries.delete(key);
  }

  /** Deletes all keys, as PayPal does after the keys expire. */
  deleteAllKeys(): void {
    this.#entries.clear();
  }
}

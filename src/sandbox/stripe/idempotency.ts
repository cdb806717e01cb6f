import { StripeApiError } from './stripe-error.ts';

export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

interface Entry {
  readonly path: string;
  readonly request: string;
  response?: StoredResponse;
}

/** First response of each idempotency key (docs.stripe.com/api/idempotent_requests). */
export class IdempotencyStore {
  readonly #entries = new Map<string, Entry>();

  /**
   * Returns the saved response of a key, or `undefined` for a new key, which is then in use.
   * @throws StripeApiError for a different request under the same key, or while the first request
   *   is in progress.
   */
  start(key: string, path: string, request: string): StoredResponse | undefined {
    const entry = this.#entries.get(key);
    if (!entry) {
      this.#entries.set(key, { path, request });
      return undefined;
    }
    if (entry.path !== path)
      throw new StripeApiError(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${entry.path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    if (entry.request !== request)
      throw new StripeApiError(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    if (!entry.response)
      throw new StripeApiError(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      });
    return entry.response;
  }

  saveResponse(key: string, response: StoredResponse): void {
    const entry = this.#entries.get(key);
    if (entry) entry.response = response;
  }

  /** Forgets a key, as if the call had never arrived. */
  release(key: string): void {
    this.#entries.delete(key);
  }

  /** Forgets all keys, as Stripe does after a day or more. */
  clear(): void {
    this.#entries.clear();
  }
}

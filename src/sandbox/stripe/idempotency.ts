import type { SavedResponse } from './internal-records.ts';
import type { Store } from './store.ts';
import { StripeApiError } from './stripe-error.ts';

/** Stores the first response for each idempotency key (docs.stripe.com/api/idempotent_requests). */
export class IdempotencyStore {
  readonly #store: Store;
  /** Idempotency keys of calls in progress. */
  readonly #inProgress = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Returns the response saved under the given key. If the key is new, claims the key and returns
   * `undefined`.
   * @throws StripeApiError if an earlier request with the same key is different or still in
   *   progress.
   */
  claimKey(key: string, path: string, request: string): SavedResponse | undefined {
    const saved = this.#store.getInternalRecord('response', key);
    if (saved && saved.path !== path)
      throw new StripeApiError(400, {
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used for the same endpoint they were ' +
          `first used for ('${path}' vs '${saved.path}'). Try using a key other than '${key}' ` +
          'if you meant to execute a different request.',
      });
    if (saved && saved.request !== request)
      throw new StripeApiError(400, {
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used with the same parameters they were ' +
          `first used with. Try using a key other than '${key}' if you meant to execute a ` +
          'different request.',
      });
    if (this.#inProgress.has(key))
      throw new StripeApiError(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message:
          'There is currently another in-progress request using this Idempotent Key (that ' +
          'probably means you submitted twice, and the other request is still going through): ' +
          `${key}. Please try again later.`,
      });
    if (!saved) this.#inProgress.add(key);
    return saved;
  }

  /**
   * Saves a call's response, if any, and releases the claimed key. Calls that fail validation have
   * no response to save.
   */
  saveResponseAndReleaseKey(key: string, response: SavedResponse | undefined): void {
    this.#inProgress.delete(key);
    if (response) this.#store.saveInternalRecord('response', key, response);
  }

  /** Deletes all keys, as Stripe does after a day or more. */
  deleteAllKeys(): void {
    this.#store.deleteInternalRecords('response');
  }
}

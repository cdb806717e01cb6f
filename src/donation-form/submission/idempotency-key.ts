import type { DonationOutcome } from '@donation-form/core/schemas';
import { IDEMPOTENCY_KEY_PREFIX, tryStorage } from '../page/session-storage.ts';

/** Receives the outcome of a donation whose form was removed during submission. */
export type OutcomeListener = (outcome: DonationOutcome) => void;

/**
 * Storage keys that forms on this page use. Two forms with the same definition use different ones,
 * so that they make separate donations.
 */
const claimedNames = new Map<string, OutcomeListener>();

/**
 * Stores a donation's idempotency key across retries and reloads until the outcome is final, so
 * that the donor is charged only once.
 */
export class IdempotencyKeyStore {
  readonly #formKey: string;
  readonly #listener: OutcomeListener;
  #name = '';
  #isClaimed = false;
  /** In-memory copy, because the browser may deny access to `sessionStorage`. */
  #key: string | undefined;

  /**
   * @param formKey identifies a form definition within the page's origin.
   * @param listener called with the open key's outcome if a removed form receives it.
   */
  constructor(formKey: string, listener: OutcomeListener) {
    this.#formKey = formKey;
    this.#listener = listener;
    this.claimStorageName();
  }

  /** Claims the first name that no other form on this page uses. */
  claimStorageName(): void {
    if (this.#isClaimed) return;
    let number = 1;
    do this.#name = `${IDEMPOTENCY_KEY_PREFIX}${this.#formKey} ${number++}`;
    while (claimedNames.has(this.#name));
    claimedNames.set(this.#name, this.#listener);
    this.#isClaimed = true;
  }

  /** Releases the name. The next form that claims it fetches the outcome of any open key. */
  releaseStorageName(): void {
    if (!this.#isClaimed) return;
    claimedNames.delete(this.#name);
    this.#isClaimed = false;
  }

  /** Listener of the form that claimed the released name and its open key. */
  get successorListener(): OutcomeListener | undefined {
    const isOpen =
      this.#key !== undefined && tryStorage(() => sessionStorage.getItem(this.#name)) === this.#key;
    return isOpen && !this.#isClaimed ? claimedNames.get(this.#name) : undefined;
  }

  /** Key of a donation without a final outcome. */
  get openKey(): string | undefined {
    return this.#key ?? tryStorage(() => sessionStorage.getItem(this.#name)) ?? undefined;
  }

  /** Returns the open key, or creates one with 144 random bits. */
  getOrCreateKey(): string {
    const key = this.openKey ?? createKey();
    this.#key = key;
    tryStorage(() => sessionStorage.setItem(this.#name, key));
    return key;
  }

  clearKey(): void {
    this.#key = undefined;
    tryStorage(() => sessionStorage.removeItem(this.#name));
  }
}

function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

import type { DonationOutcome } from '@donation-form/core/schemas';
import { IDEMPOTENCY_KEY_PREFIX, tryStorage } from '../page/session-storage.ts';

export type OutcomeListener = (outcome: DonationOutcome) => void;

/** Storage keys in use on this page. Forms with the same definition have separate donations. */
const claimedNames = new Map<string, OutcomeListener>();

/** Keeps a key across retries and reloads until the outcome is final, against duplicate charges. */
export class IdempotencyKeyStore {
  readonly #formKey: string;
  readonly #listener: OutcomeListener;
  #name = '';
  #isClaimed = false;
  /** For browsers that deny access to `sessionStorage`. */
  #key: string | undefined;

  /** @param listener receives the open key's outcome if a removed form receives it. */
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

  /** Lets the next form that claims the name fetch the outcome of an unfinished donation. */
  releaseStorageName(): void {
    if (!this.#isClaimed) return;
    claimedNames.delete(this.#name);
    this.#isClaimed = false;
  }

  /** Listener of the form that took over the unfinished donation. */
  get successorListener(): OutcomeListener | undefined {
    const isOpen =
      this.#key !== undefined && tryStorage(() => sessionStorage.getItem(this.#name)) === this.#key;
    return isOpen && !this.#isClaimed ? claimedNames.get(this.#name) : undefined;
  }

  get openKey(): string | undefined {
    return this.#key ?? tryStorage(() => sessionStorage.getItem(this.#name)) ?? undefined;
  }

  /** Returns the open idempotency key, or creates a key with 144 random bits. */
  openDonation(): string {
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

import type { Outcome } from '@donation-form/core/schemas';
import { ATTEMPT, tryStorage } from '../page/session-storage.ts';

/**
 * What a form does when one that left the page before it has the outcome of the gift that it left
 * with.
 */
export type OutcomeListener = (known: Outcome) => void;

/** The attempts of this page's forms, by name: two forms with one definition are two gifts. */
const taken = new Map<string, OutcomeListener>();

/**
 * The idempotency key of the gift that the donor is giving, kept until a final answer:
 * over a reload and over every retry it is the same, so that the gift is charged once.
 */
export class IdempotencyKeyStore {
  readonly #form: string;
  readonly #listener: OutcomeListener;
  #name = '';
  #isClaimed = false;
  /** This page's copy: browsers may refuse sessionStorage. */
  #key: string | undefined;

  /**
   * @param form what tells one form of a page's origin from another.
   * @param takeOver hears of the outcome of the open key, where a form left with it.
   */
  constructor(form: string, takeOver: OutcomeListener) {
    this.#form = form;
    this.#listener = takeOver;
    this.claim();
  }

  /** Takes the first name that no other form of this page has, unless it has one. */
  claim(): void {
    if (this.#isClaimed) return;
    let number = 1;
    do this.#name = `${ATTEMPT}${this.#form} ${number++}`;
    while (taken.has(this.#name));
    taken.set(this.#name, this.#listener);
    this.#isClaimed = true;
  }

  /**
   * Leaves the name to the next form that claims one, which then asks first what became of an open
   * key.
   */
  release(): void {
    if (!this.#isClaimed) return;
    taken.delete(this.#name);
    this.#isClaimed = false;
  }

  /**
   * What tells the form that has taken the name, and the open key with it, that this one has its
   * answer; `undefined` where none has.
   */
  get successor(): OutcomeListener | undefined {
    const isOpen =
      this.#key !== undefined && tryStorage(() => sessionStorage.getItem(this.#name)) === this.#key;
    return isOpen && !this.#isClaimed ? taken.get(this.#name) : undefined;
  }

  /** The key of an attempt whose end is not known; `undefined` where there is none. */
  get openKey(): string | undefined {
    return this.#key ?? tryStorage(() => sessionStorage.getItem(this.#name)) ?? undefined;
  }

  /** The open key, or a new one: 144 random bits. */
  getOrCreateKey(): string {
    const key = this.openKey ?? randomKey();
    this.#key = key;
    tryStorage(() => sessionStorage.setItem(this.#name, key));
    return key;
  }

  /** Ends the attempt: the next gift is another one. */
  clear(): void {
    this.#key = undefined;
    tryStorage(() => sessionStorage.removeItem(this.#name));
  }
}

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

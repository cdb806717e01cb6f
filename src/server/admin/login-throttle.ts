import { sha256 } from '../lib/hash.ts';

const WINDOW = 600_000;
/** How many wrong keys one address may give in ten minutes. */
const MOST_OF_ONE = 5;
/** How many all addresses together may. */
const MOST_IN_ALL = 50;

interface Try {
  readonly address: string;
  /** SHA-256 of the wrong key. */
  readonly guess: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Counts wrong keys at this server, so that nobody finds the right one by trying. */
export class LoginThrottle {
  readonly #now: () => number;
  #failed: readonly Try[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** For how many milliseconds an address has to wait before it may try; 0 where it need not. */
  waitOf(address: string): number {
    const now = this.#now();
    this.#failed = this.#failed.filter(({ at }) => at > now - WINDOW);
    const reached = [
      this.#failed.filter((one) => one.address === address).at(-MOST_OF_ONE),
      this.#failed.at(-MOST_IN_ALL),
    ];
    return Math.max(...reached.map((one) => (one ? one.at + WINDOW - now : 0)));
  }

  /**
   * The same wrong key of an address counts once: a command that has an old key tries it for ever,
   * and must lock nobody out of the page.
   */
  fail(address: string, key: string): void {
    const guess = sha256(key);
    if (!this.#failed.some((one) => one.address === address && one.guess === guess))
      this.#failed = [...this.#failed, { address, guess, at: this.#now() }];
  }
}

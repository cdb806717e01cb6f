const WINDOW = 600_000;
/** How many wrong keys one address may give in ten minutes. */
const MOST_OF_ONE = 5;
/** How many all addresses together may. */
const MOST_IN_ALL = 50;

/** Counts wrong keys at this server, so that nobody finds the right one by trying. */
export class Tries {
  readonly #now: () => number;
  #failed: readonly { readonly address: string; readonly at: number }[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether an address may try. */
  mayTry(address: string): boolean {
    const since = this.#now() - WINDOW;
    this.#failed = this.#failed.filter(({ at }) => at > since);
    return this.#failed.length < MOST_IN_ALL && this.#failed.filter((one) => one.address === address).length < MOST_OF_ONE;
  }

  fail(address: string): void {
    this.#failed = [...this.#failed, { address, at: this.#now() }];
  }
}

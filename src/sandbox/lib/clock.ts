/** A clock that runs at an adjustable offset from the system clock. */
export class Clock {
  readonly #systemNow: () => Date;
  readonly #listeners: (() => void)[] = [];
  #offset = 0;

  constructor(systemNow: () => Date) {
    this.#systemNow = systemNow;
  }

  readonly now = (): Date => new Date(this.#systemNow().getTime() + this.#offset);

  /** Offset from the system clock, in milliseconds. Negative if this clock is behind. */
  get offset(): number {
    return this.#offset;
  }

  /** Calls the listener whenever the offset changes. */
  addChangeListener(listener: () => void): void {
    this.#listeners.push(listener);
  }

  advance(milliseconds: number): void {
    this.#setOffset(this.#offset + milliseconds);
  }

  setTime(time: Date): void {
    this.#setOffset(time.getTime() - this.#systemNow().getTime());
  }

  resetToSystemTime(): void {
    this.#setOffset(0);
  }

  #setOffset(offset: number): void {
    this.#offset = offset;
    for (const listener of this.#listeners) listener();
  }
}

/** The sandbox's clock: the machine's, moved by as much as somebody asked for. */
export class Clock {
  readonly #base: () => Date;
  readonly #listeners: (() => void)[] = [];
  #moved = 0;

  constructor(base: () => Date) {
    this.#base = base;
  }

  readonly now = (): Date => new Date(this.#base().getTime() + this.#moved);

  /** How far it stands ahead of the machine's, in milliseconds; negative where it stands behind. */
  get moved(): number {
    return this.#moved;
  }

  /** Calls a function after every move. */
  onMove(listener: () => void): void {
    this.#listeners.push(listener);
  }

  advance(milliseconds: number): void {
    this.#move(this.#moved + milliseconds);
  }

  set(moment: Date): void {
    this.#move(moment.getTime() - this.#base().getTime());
  }

  reset(): void {
    this.#move(0);
  }

  #move(moved: number): void {
    this.#moved = moved;
    for (const listener of this.#listeners) listener();
  }
}

/** The sandbox's clock: the machine's, moved by as much as somebody asked for. */
export class Clock {
  readonly #base: () => Date;
  #moved = 0;

  constructor(base: () => Date) {
    this.#base = base;
  }

  readonly now = (): Date => new Date(this.#base().getTime() + this.#moved);

  /** How far it stands ahead of the machine's, in milliseconds; negative where it stands behind. */
  get moved(): number {
    return this.#moved;
  }

  advance(milliseconds: number): void {
    this.#moved += milliseconds;
  }

  set(moment: Date): void {
    this.#moved = moment.getTime() - this.#base().getTime();
  }

  reset(): void {
    this.#moved = 0;
  }
}

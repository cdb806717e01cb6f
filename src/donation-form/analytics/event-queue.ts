/** Tells something where that may be and can be done now. @returns whether it was. */
export type Tell = () => boolean;

const MOST = 50;
/** In milliseconds: half an hour. */
const LONGEST = 1_800_000;
/**
 * How often it is looked whether the visitor has agreed, or the page has its tools, in
 * milliseconds.
 */
const LOOK_EVERY = 1_000;

/**
 * What happened on this page and could not be told yet, in its order. It is kept in memory, and
 * nowhere else.
 */
export class Waiting {
  #untold: readonly Tell[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  add(tell: Tell): void {
    const end = Date.now() + LONGEST;
    this.#untold = [...this.#untold, () => Date.now() > end || tell()].slice(-MOST);
    this.look();
  }

  /** Tells what can be told now, and comes back while something waits. */
  look(): void {
    const untold = this.#untold;
    // A tool that is told something may raise an event itself.
    this.#untold = [];
    this.#untold = [...untold.filter((tell) => !isTold(tell)), ...this.#untold];
    clearTimeout(this.#timer);
    if (this.#untold[0]) this.#timer = setTimeout(() => this.look(), LOOK_EVERY);
  }

  end(): void {
    this.#untold = [];
    this.look();
  }
}

/** What goes wrong in a tool of the page is the page's: it is not told again. */
function isTold(tell: Tell): boolean {
  try {
    return tell();
  } catch (error) {
    reportError(error);
    return true;
  }
}

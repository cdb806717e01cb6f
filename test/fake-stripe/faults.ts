import { setImmediate } from 'node:timers/promises';

interface Fault {
  readonly kind: 'answer' | 'lose-reply';
  readonly value: number;
  readonly path: RegExp;
  left: number;
  /** How many matching calls pass before. */
  after: number;
}

interface Gate {
  readonly begin: () => void;
  readonly released: Promise<void>;
}

/**
 * What was asked to go wrong, each a number of times. A pattern is held against texts such as `POST
 * /v1/payment_intents`.
 */
export class Faults {
  readonly #waiting: Fault[] = [];
  #gate: Gate | undefined;

  add(kind: Fault['kind'], value: number, count: number, path = /^/, after = 0): void {
    this.#waiting.push({ kind, value, path, left: count, after });
  }

  /** Holds the next call. */
  hold(): { readonly begun: Promise<void>; readonly release: () => void } {
    let begin = (): void => undefined;
    let release = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#gate = { begin: () => begin(), released };
    return { begun, release: () => release() };
  }

  /** Waits if a call is to be held; others may come between its beginning and its work anyway. */
  async pass(): Promise<void> {
    const gate = this.#gate;
    this.#gate = undefined;
    gate?.begin();
    await (gate?.released ?? setImmediate());
  }

  /** Uses one of them up. @returns its value. */
  take(kind: Fault['kind'], call: string): number | undefined {
    const fault = this.#waiting.find(
      (one) => one.kind === kind && one.left > 0 && one.path.test(call),
    );
    if (!fault) return undefined;
    if (fault.after > 0) {
      fault.after -= 1;
      return undefined;
    }
    fault.left -= 1;
    return fault.value;
  }
}

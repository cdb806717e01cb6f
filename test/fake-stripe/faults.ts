import { setImmediate } from 'node:timers/promises';

interface Fault {
  readonly kind: 'fail' | 'drop-response';
  readonly value: number;
  readonly path: RegExp;
  remaining: number;
  /** Matching calls to skip first. */
  skip: number;
}

interface Gate {
  readonly start: () => void;
  readonly released: Promise<void>;
}

/**
 * Faults to inject, each a number of times. Patterns match calls such as `POST
 * /v1/payment_intents`.
 */
export class Faults {
  readonly #faults: Fault[] = [];
  #gate: Gate | undefined;
  #forbidden: RegExp | undefined;

  add(kind: Fault['kind'], value: number, count: number, path = /^/, skip = 0): void {
    this.#faults.push({ kind, value, path, remaining: count, skip });
  }

  /** Forbids calls, as for a restricted key. */
  forbid(path: RegExp): void {
    this.#forbidden = path;
  }

  isForbidden(call: string): boolean {
    return this.#forbidden?.test(call) ?? false;
  }

  /** Holds the next call until it is released. */
  holdNextCall(): { readonly started: Promise<void>; readonly release: () => void } {
    let start = (): void => undefined;
    let release = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#gate = { start: () => start(), released };
    return { started, release: () => release() };
  }

  /**
   * Waits until a held call is released. Always yields, so that other calls can run between
   * its start and its processing.
   */
  async waitForRelease(): Promise<void> {
    const gate = this.#gate;
    this.#gate = undefined;
    gate?.start();
    await (gate?.released ?? setImmediate());
  }

  /**
   * Counts one occurrence of a matching fault.
   * @returns the fault's value, or `undefined` if none matches.
   */
  consume(kind: Fault['kind'], call: string): number | undefined {
    const fault = this.#faults.find(
      (candidate) =>
        candidate.kind === kind && candidate.remaining > 0 && candidate.path.test(call),
    );
    if (!fault) return undefined;
    if (fault.skip > 0) {
      fault.skip -= 1;
      return undefined;
    }
    fault.remaining -= 1;
    return fault.value;
  }
}

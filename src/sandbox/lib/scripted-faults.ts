import { setImmediate } from 'node:timers/promises';

interface Failure {
  readonly status: number;
  readonly path: RegExp;
  remaining: number;
  /** Number of matching calls to process normally first. */
  skip: number;
}

interface DroppedResponse {
  readonly path: RegExp;
  remaining: number;
}

interface Gate {
  readonly start: () => void;
  readonly released: Promise<void>;
}

/**
 * Faults that tests inject into individual calls, each a given number of times. Patterns match
 * calls such as `POST /v1/payment_intents`.
 */
export class ScriptedFaults {
  readonly #failures: Failure[] = [];
  readonly #droppedResponses: DroppedResponse[] = [];
  #gate: Gate | undefined;
  #forbidden: RegExp | undefined;

  /** Makes matching calls fail after processing the first `skip` of them normally. */
  failCalls(status: number, count: number, path = /^/, skip = 0): void {
    this.#failures.push({ status, path, remaining: count, skip });
  }

  /** Makes matching calls lose their responses after they were processed. */
  dropResponses(count: number, path = /^/): void {
    this.#droppedResponses.push({ path, remaining: count });
  }

  /**
   * Counts one dropped response.
   * @returns false if no fault matches.
   */
  consumeDroppedResponse(call: string): boolean {
    const dropped = this.#droppedResponses.find(
      ({ remaining, path }) => remaining > 0 && path.test(call),
    );
    if (!dropped) return false;
    dropped.remaining -= 1;
    return true;
  }

  /** Rejects matching calls, as for a restricted key that lacks a permission. */
  forbidCalls(path: RegExp): void {
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
   * Waits until a held call is released. Always yields, so that other calls can run before this
   * call is processed.
   */
  async waitIfHeld(): Promise<void> {
    const gate = this.#gate;
    this.#gate = undefined;
    gate?.start();
    await (gate?.released ?? setImmediate());
  }

  /**
   * Counts one occurrence of a matching failure.
   * @returns the failure's status code, or `undefined` if no failure matches.
   */
  consumeFailure(call: string): number | undefined {
    const failure = this.#failures.find(({ remaining, path }) => remaining > 0 && path.test(call));
    if (!failure) return undefined;
    if (failure.skip > 0) {
      failure.skip -= 1;
      return undefined;
    }
    failure.remaining -= 1;
    return failure.status;
  }
}

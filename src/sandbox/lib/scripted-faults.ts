import { setImmediate } from 'node:timers/promises';

interface Failure {
  readonly status: number;
  readonly path: RegExp;
  remaining: number;
  /** Number of matching calls to process normally before the first failure. */
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
 * Faults that tests inject into individual calls. Tests select calls with patterns that match text
 * such as `POST /v1/payment_intents`.
 */
export class ScriptedFaults {
  readonly #failures: Failure[] = [];
  readonly #droppedResponses: DroppedResponse[] = [];
  #gate: Gate | undefined;
  #forbidden: RegExp | undefined;

  /**
   * Processes the first `skip` matching calls normally, and makes the next `count` matching calls
   * fail.
   */
  failCalls(status: number, count: number, path = /^/, skip = 0): void {
    this.#failures.push({ status, path, remaining: count, skip });
  }

  /** Drops the responses of the next `count` matching calls after processing the calls. */
  dropResponses(count: number, path = /^/): void {
    this.#droppedResponses.push({ path, remaining: count });
  }

  /**
   * Counts one dropped response if a fault matches the call.
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

  /** Rejects matching calls, as if the API key lacked the required permission. */
  forbidCalls(path: RegExp): void {
    this.#forbidden = path;
  }

  isForbidden(call: string): boolean {
    return this.#forbidden?.test(call) ?? false;
  }

  /** Holds the next call until the test calls `release`. */
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
   * Waits until the test releases the call if the call is held. Otherwise, yields once to let other
   * calls run first.
   */
  async waitIfHeld(): Promise<void> {
    const gate = this.#gate;
    this.#gate = undefined;
    gate?.start();
    await (gate?.released ?? setImmediate());
  }

  /**
   * Counts one failure if a fault matches the call.
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

import { setImmediate } from 'node:timers/promises';

interface Failure {
  readonly status: number;
  readonly path: RegExp;
  remaining: number;
  /** Matching calls to skip first. */
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
 * Faults that tests inject into single calls, each a number of times. Patterns match calls such as
 * `POST /v1/payment_intents`.
 */
export class ScriptedFaults {
  readonly #failures: Failure[] = [];
  readonly #droppedResponses: DroppedResponse[] = [];
  #gate: Gate | undefined;
  #forbidden: RegExp | undefined;

  /** Fails matching calls, after skipping some of them. */
  failCalls(status: number, count: number, path = /^/, skip = 0): void {
    this.#failures.push({ status, path, remaining: count, skip });
  }

  /** Drops the responses to matching calls after processing them. */
  dropResponses(count: number, path = /^/): void {
    this.#droppedResponses.push({ path, remaining: count });
  }

  /** Counts one response to drop. @returns false if none matches. */
  consumeDroppedResponse(call: string): boolean {
    const dropped = this.#droppedResponses.find(
      ({ remaining, path }) => remaining > 0 && path.test(call),
    );
    if (!dropped) return false;
    dropped.remaining -= 1;
    return true;
  }

  /** Forbids calls, as for a restricted key. */
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
   * Waits until a held call is released. Always yields, so that other calls can run between
   * its start and its processing.
   */
  async waitIfHeld(): Promise<void> {
    const gate = this.#gate;
    this.#gate = undefined;
    gate?.start();
    await (gate?.released ?? setImmediate());
  }

  /**
   * Counts one occurrence of a matching failure.
   * @returns its status, or `undefined` if none matches.
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

import { setImmediate } from 'node:timers/promises';

interface CallFault {
  readonly kind: 'fail' | 'drop-response';
  /** Status of a failure. */
  readonly status: number;
  readonly call: RegExp;
  remaining: number;
}

export interface HeldCall {
  /** Resolves when a call has arrived. */
  readonly started: Promise<void>;
  readonly release: () => void;
}

/**
 * Faults that tests inject into single calls, each a number of times. Patterns match calls such as
 * `POST /v2/checkout/orders`.
 */
export class CallFaults {
  readonly #faults: CallFault[] = [];
  #gate: { readonly start: () => void; readonly released: Promise<void> } | undefined;

  /** Processes the next calls but breaks their connections before responding. */
  readonly dropResponses = (count = 1, call = /^/): void => {
    this.#faults.push({ kind: 'drop-response', status: 0, call, remaining: count });
  };

  /** Fails the next calls with this status without processing them. */
  readonly failCalls = (status: number, count = 1, call = /^/): void => {
    this.#faults.push({ kind: 'fail', status, call, remaining: count });
  };

  /** Holds the next call, with its idempotency key in use, until it is released. */
  readonly holdNextCall = (): HeldCall => {
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
  };

  /**
   * Waits until a held call is released. Always yields, so that other calls can run between its
   * start and its processing.
   */
  async waitForRelease(): Promise<void> {
    const gate = this.#gate;
    this.#gate = undefined;
    gate?.start();
    await (gate?.released ?? setImmediate());
  }

  /**
   * Counts one occurrence of a matching fault.
   * @returns the fault's status, or `undefined` if none matches.
   */
  consume(kind: CallFault['kind'], call: string): number | undefined {
    const fault = this.#faults.find(
      (candidate) =>
        candidate.kind === kind && candidate.remaining > 0 && candidate.call.test(call),
    );
    if (!fault) return undefined;
    fault.remaining -= 1;
    return fault.status;
  }
}

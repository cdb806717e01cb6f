import { setTimeout } from 'node:timers/promises';
import type { Faults, Place } from '../lib/faults.ts';

export interface DeliveryOptions {
  readonly faults: Faults;
  readonly place: Place;
  /**
   * How long it waits before each further try, in milliseconds; as many tries as there are waits.
   */
  readonly waits?: readonly number[] | undefined;
}

export interface Letter {
  /** Letters to the same receiver are delivered one after another. */
  readonly to: string | number;
  /** Writes it, for each try anew. */
  readonly write: () => {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /**
   * @param result what came back: `200`, `500`, `no answer`, or `dropped` where too many were
   *   waiting.
   */
  readonly ended: (tries: number, result: string) => void;
}

const ANSWER_TIME = 5_000;
const HOLD_TIME = 2_000;
const MOST_WAITING = 1_000;

/** Delivers events by POST: to each receiver in order, a few tries for each. */
export class Delivery {
  readonly #faults: Faults;
  readonly #place: Place;
  readonly #waits: readonly number[];
  readonly #ending = new AbortController();
  readonly #queues = new Map<Letter['to'], Promise<void>>();
  readonly #held = new Map<Letter['to'], () => void>();
  #waiting = 0;

  constructor({ faults, place, waits = [200, 1_000, 3_000] }: DeliveryOptions) {
    this.#faults = faults;
    this.#place = place;
    this.#waits = waits;
  }

  /** It does not wait until the letter has arrived. */
  send(letter: Letter): void {
    const times = this.#faults.take('duplicate-webhooks', this.#place) ? 2 : 1;
    const held = this.#held.get(letter.to);
    if (!held && this.#faults.take('reordered-webhooks', this.#place))
      return this.#hold(letter, times);
    this.#queue(letter, times);
    held?.();
  }

  /** Gives up whatever was not delivered yet. */
  close(): void {
    this.#ending.abort();
  }

  /** Keeps a letter back until the next one to its receiver was queued, or for a while. */
  #hold(letter: Letter, times: number): void {
    const release = (): void => {
      if (this.#held.get(letter.to) !== release) return;
      this.#held.delete(letter.to);
      this.#queue(letter, times);
    };
    this.#held.set(letter.to, release);
    void setTimeout(HOLD_TIME, undefined, { signal: this.#ending.signal, ref: false }).then(
      release,
      () => undefined,
    );
  }

  #queue(letter: Letter, times: number): void {
    if (this.#waiting + times > MOST_WAITING) return letter.ended(0, 'dropped');
    this.#waiting += times;
    for (let time = 0; time < times; time += 1) {
      const before = this.#queues.get(letter.to) ?? Promise.resolve();
      this.#queues.set(
        letter.to,
        before
          .then(() => this.#deliver(letter))
          .finally(() => {
            this.#waiting -= 1;
          }),
      );
    }
  }

  async #deliver(letter: Letter): Promise<void> {
    const { signal } = this.#ending;
    for (let tries = 1; !signal.aborted; tries += 1) {
      const result = await this.#post(letter);
      const wait = this.#waits[tries - 1];
      if (this.#ending.signal.aborted) return;
      if (/^2\d\d$/.test(result) || wait === undefined) return letter.ended(tries, result);
      await setTimeout(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #post({ write }: Letter): Promise<string> {
    const { url, headers, body } = write();
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([this.#ending.signal, AbortSignal.timeout(ANSWER_TIME)]),
      });
      await response.body?.cancel();
      return String(response.status);
    } catch {
      return 'no answer';
    }
  }
}

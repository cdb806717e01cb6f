import { setTimeout } from 'node:timers/promises';
import type { Faults, FaultTarget } from '../lib/faults.ts';

export interface DeliveryQueueOptions {
  readonly faults: Faults;
  readonly target: FaultTarget;
  /** Delays before each retry, in milliseconds. The array's length is the number of retries. */
  readonly retryDelays?: readonly number[] | undefined;
}

export interface Delivery {
  /** Receiver of the delivery. The queue sends a receiver's deliveries one at a time. */
  readonly receiver: string | number;
  /** Creates the request. The queue calls this function for each attempt. */
  readonly createRequest: () => {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /**
   * Callback that runs after the last attempt.
   * @param result status code of the last response, `no response`, or `dropped` if the queue was
   *   full.
   */
  readonly onFinished: (attempts: number, result: string) => void;
}

const RESPONSE_TIMEOUT = 5_000;
const MAX_HOLD_TIME = 2_000;
const MAX_PENDING = 1_000;

/** Sends webhooks by POST, with retries, and keeps each receiver's webhooks in order. */
export class DeliveryQueue {
  readonly #faults: Faults;
  readonly #target: FaultTarget;
  readonly #retryDelays: readonly number[];
  readonly #abort = new AbortController();
  readonly #queues = new Map<Delivery['receiver'], Promise<void>>();
  readonly #heldReleases = new Map<Delivery['receiver'], () => void>();
  #pending = 0;

  constructor({ faults, target, retryDelays = [200, 1_000, 3_000] }: DeliveryQueueOptions) {
    this.#faults = faults;
    this.#target = target;
    this.#retryDelays = retryDelays;
  }

  /** Queues a delivery without waiting for it. */
  enqueueDelivery(delivery: Delivery): void {
    const times = this.#faults.consumeFault('duplicate-webhooks', this.#target) ? 2 : 1;
    const releaseHeld = this.#heldReleases.get(delivery.receiver);
    if (!releaseHeld && this.#faults.consumeFault('reordered-webhooks', this.#target))
      return this.#holdDelivery(delivery, times);
    this.#scheduleDelivery(delivery, times);
    releaseHeld?.();
  }

  /** Aborts all pending deliveries. */
  abortDeliveries(): void {
    this.#abort.abort();
  }

  /**
   * Holds a delivery until another one to the same receiver is queued, but no longer than
   * {@link MAX_HOLD_TIME}.
   */
  #holdDelivery(delivery: Delivery, times: number): void {
    const release = (): void => {
      if (this.#heldReleases.get(delivery.receiver) !== release) return;
      this.#heldReleases.delete(delivery.receiver);
      this.#scheduleDelivery(delivery, times);
    };
    this.#heldReleases.set(delivery.receiver, release);
    void setTimeout(MAX_HOLD_TIME, undefined, { signal: this.#abort.signal, ref: false }).then(
      release,
      () => undefined,
    );
  }

  #scheduleDelivery(delivery: Delivery, times: number): void {
    if (this.#pending + times > MAX_PENDING) return delivery.onFinished(0, 'dropped');
    this.#pending += times;
    for (let time = 0; time < times; time += 1) {
      const previous = this.#queues.get(delivery.receiver) ?? Promise.resolve();
      this.#queues.set(
        delivery.receiver,
        previous
          .then(() => this.#deliverWithRetries(delivery))
          .finally(() => {
            this.#pending -= 1;
          }),
      );
    }
  }

  async #deliverWithRetries(delivery: Delivery): Promise<void> {
    const { signal } = this.#abort;
    for (let attempts = 1; !signal.aborted; attempts += 1) {
      const result = await this.#postRequest(delivery);
      const delay = this.#retryDelays[attempts - 1];
      if (this.#abort.signal.aborted) return;
      if (/^2\d\d$/.test(result) || delay === undefined)
        return delivery.onFinished(attempts, result);
      await setTimeout(delay, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #postRequest({ createRequest }: Delivery): Promise<string> {
    const { url, headers, body } = createRequest();
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([this.#abort.signal, AbortSignal.timeout(RESPONSE_TIMEOUT)]),
      });
      await response.body?.cancel();
      return String(response.status);
    } catch {
      return 'no response';
    }
  }
}

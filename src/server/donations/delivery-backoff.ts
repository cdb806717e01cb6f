import { type ApiQuota, isBackingOff } from '../platform/api-quota.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
/** Maximum number of entries sent at the same time, which share their three disk syncs each. */
const MAX_CONCURRENCY = 32;

type BackoffRequest = Parameters<ApiQuota['extendBackoff']>[0];

/** Decides when, and how many at a time, this server sends entries to an organization's platform. */
export class DeliveryBackoff {
  readonly #quota: () => ApiQuota;
  readonly #now: () => number;
  #earliestCallTime = 0;
  #isKeyRejected = false;
  #concurrency = 1;
  #starting: Promise<void> | undefined;

  constructor(quota: () => ApiQuota, now: () => number) {
    this.#quota = quota;
    this.#now = now;
  }

  get isKeyRejected(): boolean {
    return this.#isKeyRejected;
  }

  /** Grows with each success, so that a platform that is down gets only one call. */
  get concurrency(): number {
    return this.#concurrency;
  }

  get isActive(): boolean {
    return isBackingOff(this.#earliestCallTime, this.#now());
  }

  /** Earliest time of the next call, or 0 if the relay need not wait. */
  get earliestCallTime(): number {
    return this.isActive ? this.#earliestCallTime : 0;
  }

  async recordSuccess(): Promise<void> {
    // A call that started before the platform failed says nothing about the platform since.
    if (this.#starting || this.isActive) return;
    this.#isKeyRejected = false;
    this.#concurrency = Math.min(this.#concurrency + 1, MAX_CONCURRENCY);
    await this.#quota().endBackoff();
  }

  recordFailure(): void {
    this.#concurrency = 1;
  }

  defer(retryAt: Date): void {
    this.#earliestCallTime = Math.max(this.earliestCallTime, retryAt.getTime());
  }

  /** Concurrent failures count as one, unless a later one requests a longer backoff. */
  async start({
    isKeyRejected = false,
    ...request
  }: BackoffRequest & { readonly isKeyRejected?: boolean }): Promise<void> {
    while (this.#starting) await this.#starting;
    if (this.isActive && !this.#isExtendedBy(request.retryAt)) return;
    this.#isKeyRejected = isKeyRejected;
    this.#starting = this.#quota()
      .extendBackoff(request)
      .then((end) => {
        this.#earliestCallTime = end;
      })
      .finally(() => {
        this.#starting = undefined;
      });
    await this.#starting;
  }

  /** @returns false if no rejected API key had started a backoff. */
  async retryWithNewKey(): Promise<boolean> {
    if (!this.#isKeyRejected) return false;
    this.#isKeyRejected = false;
    await this.#quota().endBackoff();
    this.#earliestCallTime = 0;
    return true;
  }

  /** Ignores less than a second, so that the responses to concurrent calls count as one failure. */
  #isExtendedBy(retryAt: Date | undefined): boolean {
    const requested = Math.min(retryAt?.getTime() ?? 0, this.#now() + HOUR);
    return requested > this.#earliestCallTime + SECOND;
  }
}

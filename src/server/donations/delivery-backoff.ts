import { isBackingOff, type ApiQuota } from '../platform/api-quota.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
/**
 * Maximum number of entries that the relay sends at the same time. The platform responds in
 * milliseconds or seconds, and each entry waits for three disk syncs, which concurrent entries share.
 */
const MAX_CONCURRENCY = 32;

type BackoffRequest = Parameters<ApiQuota['extendBackoff']>[0];

/** Decides when, and how many at a time, this server sends entries to an organization's platform. */
export class DeliveryBackoff {
  readonly #quota: () => ApiQuota;
  readonly #now: () => number;
  #earliestCallTime = 0;
  #isKeyRejected = false;
  /**
   * One at the start and after a failure, and one more after each success. Therefore, a platform
   * that is down gets only one call.
   */
  #concurrency = 1;
  /** Start of a backoff in progress. */
  #starting: Promise<void> | undefined;

  constructor(quota: () => ApiQuota, now: () => number) {
    this.#quota = quota;
    this.#now = now;
  }

  /** True if the platform rejected the API key in the last call. */
  get isKeyRejected(): boolean {
    return this.#isKeyRejected;
  }

  /** Number of entries that the relay may send at the same time. */
  get concurrency(): number {
    return this.#concurrency;
  }

  get isActive(): boolean {
    return isBackingOff(this.#earliestCallTime, this.#now());
  }

  /** Earliest time of the next call to the platform, or 0 if the relay need not wait. */
  get earliestCallTime(): number {
    return this.isActive ? this.#earliestCallTime : 0;
  }

  /** Ends the backoff and allows one more concurrent call, because a call succeeded. */
  async recordSuccess(): Promise<void> {
    // A call that started before the platform failed says nothing about the platform since.
    if (this.#starting || this.isActive) return;
    this.#isKeyRejected = false;
    this.#concurrency = Math.min(this.#concurrency + 1, MAX_CONCURRENCY);
    await this.#quota().endBackoff();
  }

  /** Allows only one call at a time, because a call failed. */
  recordFailure(): void {
    this.#concurrency = 1;
  }

  /** Waits until the given time, because the quota allows no call before. */
  defer(retryAt: Date): void {
    this.#earliestCallTime = Math.max(this.earliestCallTime, retryAt.getTime());
  }

  /**
   * Starts a backoff, or extends the one that the response to a concurrent call started. Otherwise,
   * the failures of concurrent calls count as one.
   */
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

  /**
   * Ends a backoff that started because of a rejected API key. Called when the configuration may
   * contain a new key.
   * @returns false if there was no such backoff.
   */
  async retryWithNewKey(): Promise<boolean> {
    if (!this.#isKeyRejected) return false;
    this.#isKeyRejected = false;
    await this.#quota().endBackoff();
    this.#earliestCallTime = 0;
    return true;
  }

  /**
   * Returns true if the platform requests a later time than that of a concurrent call. Ignores less
   * than a second, so that the responses to concurrent calls count as one failure.
   */
  #isExtendedBy(retryAt: Date | undefined): boolean {
    const requested = Math.min(retryAt?.getTime() ?? 0, this.#now() + HOUR);
    return requested > this.#earliestCallTime + SECOND;
  }
}

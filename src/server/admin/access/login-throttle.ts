import { hashSha256 } from '../../lib/hash.ts';

/** Duration of the rate-limit window, in milliseconds. */
const WINDOW = 600_000;
/** Maximum number of wrong keys per IP address and window. */
const MAX_PER_ADDRESS = 5;
/** Maximum number of wrong keys per window, counting all IP addresses together. */
const MAX_TOTAL = 50;

interface FailedAttempt {
  readonly ipAddress: string;
  /** SHA-256 of the wrong key. */
  readonly keyHash: string;
  /** Time of the attempt, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Rate-limits failed sign-ins to prevent brute force. Each server counts its failed sign-ins
 * separately.
 */
export class LoginThrottle {
  readonly #now: () => number;
  #failedAttempts: readonly FailedAttempt[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Returns the time until an IP address can try again, in milliseconds, or 0 if no wait is
   * necessary.
   */
  getRetryDelay(ipAddress: string): number {
    const now = this.#now();
    this.#failedAttempts = this.#failedAttempts.filter(({ at }) => at > now - WINDOW);
    const limiting = [
      this.#failedAttempts
        .filter((attempt) => attempt.ipAddress === ipAddress)
        .at(-MAX_PER_ADDRESS),
      this.#failedAttempts.at(-MAX_TOTAL),
    ];
    return Math.max(...limiting.map((attempt) => (attempt ? attempt.at + WINDOW - now : 0)));
  }

  /**
   * Records a wrong key. Counts each key once per IP address, so a script that keeps sending an old
   * key does not lock people out of the admin page.
   */
  recordFailure(ipAddress: string, key: string): void {
    const keyHash = hashSha256(key);
    const isKnown = this.#failedAttempts.some(
      (attempt) => attempt.ipAddress === ipAddress && attempt.keyHash === keyHash,
    );
    if (!isKnown)
      this.#failedAttempts = [...this.#failedAttempts, { ipAddress, keyHash, at: this.#now() }];
  }
}

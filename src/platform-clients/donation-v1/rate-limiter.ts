/** Rate limits, which all apply at the same time (Donation Platform API v1, "Limits"). */
export const LIMITS = [
  { period: '1m', milliseconds: 60_000, requests: 100 },
  { period: '1h', milliseconds: 3_600_000, requests: 1_000 },
  { period: '1d', milliseconds: 86_400_000, requests: 4_000 },
] as const;

/** A rate limit window in which the client cannot send more requests. */
export interface ExhaustedWindow {
  /** Undefined if the platform asked the client to wait. */
  readonly period?: (typeof LIMITS)[number]['period'];
  /** Time at which the client can send the next request. */
  readonly until: Date;
}

/** Uses sliding windows, because the start of the platform's own windows is unknown. */
export class RateLimiter {
  #sent: number[] = [];
  #pausedUntil = 0;

  /** Counts a request, or returns the exhausted window. @param now milliseconds since 1970. */
  countRequest(now: number): ExhaustedWindow | undefined {
    const exhausted = this.findExhaustedWindow(now);
    if (!exhausted) this.#sent.push(now);
    return exhausted;
  }

  /** Returns the exhausted window that ends last, or `undefined` if a request is allowed. */
  findExhaustedWindow(now: number): ExhaustedWindow | undefined {
    this.#sent = this.#sent.filter((at) => at > now - LIMITS[2].milliseconds);
    const exhausted = LIMITS.flatMap(({ period, milliseconds, requests }): ExhaustedWindow[] => {
      const oldest = this.#sent.at(-requests);
      return oldest !== undefined && oldest > now - milliseconds
        ? [{ period, until: new Date(oldest + milliseconds) }]
        : [];
    });
    if (this.#pausedUntil > now) exhausted.push({ until: new Date(this.#pausedUntil) });
    return exhausted.toSorted((a, b) => b.until.getTime() - a.until.getTime())[0];
  }

  /** The platform asked the client to wait. */
  rejectUntil(until: Date): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until.getTime());
  }
}

const rateLimiters = new Map<string, RateLimiter>();

/** All clients of an organization share a rate limiter in this process. */
export function getSharedRateLimiter(baseUrl: string, organizationKey: string): RateLimiter {
  const key = JSON.stringify([baseUrl, organizationKey]);
  const rateLimiter = rateLimiters.get(key) ?? new RateLimiter();
  rateLimiters.set(key, rateLimiter);
  return rateLimiter;
}

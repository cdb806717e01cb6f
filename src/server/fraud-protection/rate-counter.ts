import type { Pool } from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RLWrapperTimeouts } from 'rate-limiter-flexible';

/** A count, and the number of milliseconds until it expires. */
export interface Count {
  readonly count: number;
  readonly expiresIn: number;
}

/** Counts points for each key. A key's count expires a fixed time after its first point. */
export interface RateCounter {
  readonly add: (key: string, points: number) => Promise<Count>;
  readonly read: (key: string) => Promise<Count>;
}

/** Options for counts that several servers share. */
export interface SharedCounterOptions {
  readonly pool: Pool;
  /**
   * Database timeout, in milliseconds. After a timeout, this server counts in memory, because a
   * slow database must not block donations.
   */
  readonly timeout: number;
}

/**
 * Creates a rate counter.
 * @param name prefix of the counter's keys.
 * @param duration lifetime of a count, in seconds.
 * @param shared database for shared counts. If undefined, the counter stores counts in memory.
 */
export function createRateCounter(
  name: string,
  duration: number,
  shared?: SharedCounterOptions,
): RateCounter {
  const options = { keyPrefix: name, points: 1, duration };
  const memory = new RateLimiterMemory(options);
  const limiter = shared
    ? new RLWrapperTimeouts({
        limiter: new RateLimiterPostgres({
          ...options,
          storeClient: shared.pool,
          storeType: 'pool',
          tableName: 'rate_limits',
          tableCreated: true,
          clearExpiredByTimeout: false,
        }),
        timeoutMs: shared.timeout,
        insuranceLimiter: memory,
      })
    : memory;
  return {
    add: async (key, points) => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points);
      return { count: consumedPoints, expiresIn: msBeforeNext };
    },
    read: async (key) => {
      const result = await limiter.get(key);
      return result && result.msBeforeNext > 0
        ? { count: result.consumedPoints, expiresIn: result.msBeforeNext }
        : { count: 0, expiresIn: 0 };
    },
  };
}

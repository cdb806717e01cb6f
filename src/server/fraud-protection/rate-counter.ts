import type { Pool } from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RLWrapperTimeouts } from 'rate-limiter-flexible';

/** What was counted, and in how many milliseconds it is forgotten. */
export interface Count {
  readonly count: number;
  readonly endsIn: number;
}

/** Counts that end by themselves, a while after they began. */
export interface Counts {
  readonly add: (key: string, points: number) => Promise<Count>;
  readonly read: (key: string) => Promise<Count>;
}

/** Counts in the database of several servers. */
export interface SharedCounts {
  readonly pool: Pool;
  /**
   * Timeout for the database, in milliseconds. After that this server counts for itself: a slow
   * database loses no gift.
   */
  readonly timeout: number;
}

/**
 * Opens counts.
 * @param name keeps them apart from others.
 * @param duration seconds.
 * @param shared where several servers count together; without it, this process counts in memory.
 */
export function openCounts(name: string, duration: number, shared?: SharedCounts): Counts {
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
      return { count: consumedPoints, endsIn: msBeforeNext };
    },
    read: async (key) => {
      const found = await limiter.get(key);
      return found && found.msBeforeNext > 0
        ? { count: found.consumedPoints, endsIn: found.msBeforeNext }
        : { count: 0, endsIn: 0 };
    },
  };
}

import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { BatchQueue } from '../lib/batch-queue.ts';

/** `expiresIn` is in milliseconds. */
export interface Count {
  readonly count: number;
  readonly expiresIn: number;
}

/** A key's count expires a fixed time after its first point. */
export interface RateCounter {
  readonly add: (key: string, points: number) => Promise<Count>;
  readonly read: (key: string) => Promise<Count>;
}

export interface SharedCounterOptions {
  readonly pool: Pool;
  /**
   * Milliseconds after which this server counts in memory: a slow database must not block
   * donations.
   */
  readonly timeout: number;
}

/**
 * @param name prefix of the counter's keys.
 * @param duration lifetime of a count, in seconds.
 * @param shared database for shared counts. By default, they are in memory.
 */
export function createRateCounter(
  name: string,
  duration: number,
  shared?: SharedCounterOptions,
): RateCounter {
  const memory = createMemoryCounter(duration);
  return shared ? createSharedCounter(name, duration, memory, shared) : memory;
}

function createMemoryCounter(duration: number): RateCounter {
  // In the order of expiration, because all counts have the same lifetime.
  const counts = new Map<string, { points: number; readonly expiresAt: number }>();
  const deleteExpired = (now: number): void => {
    for (const [key, { expiresAt }] of counts) {
      if (expiresAt > now) return;
      counts.delete(key);
    }
  };
  return {
    add: async (key, points) => {
      const now = Date.now();
      deleteExpired(now);
      const count = counts.get(key) ?? { points: 0, expiresAt: now + duration * 1_000 };
      count.points += points;
      counts.set(key, count);
      return { count: count.points, expiresIn: count.expiresAt - now };
    },
    read: async (key) => {
      const now = Date.now();
      deleteExpired(now);
      const count = counts.get(key);
      return count ? { count: count.points, expiresIn: count.expiresAt - now } : NO_COUNT;
    },
  };
}

const NO_COUNT: Count = { count: 0, expiresIn: 0 };

const MAX_BATCH_SIZE = 256;

interface AddedPoints {
  readonly key: string;
  readonly points: number;
}

/**
 * Concurrent donations share one statement: with one for each count, as in rate-limiter-flexible,
 * counting took longer than saving the donation.
 */
function createSharedCounter(
  name: string,
  duration: number,
  memory: RateCounter,
  { pool, timeout }: SharedCounterOptions,
): RateCounter {
  const queue = new BatchQueue<AddedPoints, Count>({
    processBatch: (batch) => addPoints(pool, batch, duration),
    maxSize: MAX_BATCH_SIZE,
    isItemError: () => false,
  });
  const buildKey = (key: string): string => `${name}:${key}`;
  const useMemoryAfterTimeout = (
    count: Promise<Count>,
    countInMemory: () => Promise<Count>,
  ): Promise<Count> =>
    Promise.race([count, setTimeout(timeout, undefined, { ref: false })])
      .catch(() => undefined)
      .then((result) => result ?? countInMemory());
  return {
    add: (key, points) => {
      const added = { key: buildKey(key), points };
      return useMemoryAfterTimeout(queue.add(added), () => {
        // Otherwise, a database that responds again would count the points too.
        queue.remove(added);
        return memory.add(key, points);
      });
    },
    read: (key) => useMemoryAfterTimeout(readCount(pool, buildKey(key)), () => memory.read(key)),
  };
}

/** @returns each count after the addition. */
async function addPoints(
  pool: Pool,
  batch: readonly AddedPoints[],
  duration: number,
): Promise<readonly Count[]> {
  const sums = new Map<string, number>();
  for (const { key, points } of batch) sums.set(key, (sums.get(key) ?? 0) + points);
  // All servers lock the rows in the same order, to prevent deadlocks.
  const keys = [...sums.keys()].sort();
  const now = Date.now();
  const { rows } = await pool.query<CountRow>(ADD_POINTS, [
    keys,
    keys.map((key) => sums.get(key)),
    now + duration * 1_000,
    now,
  ]);
  const countsBefore = new Map(
    rows.map(({ key, points, expire }) => [key, { points: points - sums.get(key)!, expire }]),
  );
  return batch.map(({ key, points }) => {
    const count = countsBefore.get(key)!;
    count.points += points;
    return toCount(count, now);
  });
}

async function readCount(pool: Pool, key: string): Promise<Count> {
  const now = Date.now();
  const {
    rows: [row],
  } = await pool.query<CountRow>(
    'SELECT key, points, expire FROM rate_limits WHERE key = $1 AND expire > $2',
    [key, now],
  );
  return row ? toCount(row, now) : NO_COUNT;
}

const toCount = ({ points, expire }: Pick<CountRow, 'points' | 'expire'>, now: number): Count => ({
  count: points,
  expiresIn: expire - now,
});

interface CountRow {
  readonly key: string;
  readonly points: number;
  readonly expire: number;
}

/** Parameters: keys, points for each key, expiration time of new counts, and current time. */
const ADD_POINTS = `
  INSERT INTO rate_limits (key, points, expire)
  SELECT key, points, $3::bigint FROM unnest($1::text[], $2::integer[]) AS added (key, points)
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN rate_limits.expire <= $4 THEN excluded.points
      ELSE rate_limits.points + excluded.points END,
    expire = CASE WHEN rate_limits.expire <= $4 THEN excluded.expire ELSE rate_limits.expire END
  RETURNING key, points, expire`;

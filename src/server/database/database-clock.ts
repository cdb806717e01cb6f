import { sql, type Expression, type RawBuilder } from 'kysely';
import type { Pool } from 'pg';

/**
 * Clock for claiming and scheduling rows. All servers use the database's clock, so the servers
 * agree on which claims have expired, even if their own clocks differ.
 */
export interface DatabaseClock {
  /** Returns the database's time in milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Returns an SQL expression for the database's time plus `delay` milliseconds, in milliseconds
   * since 1970. PostgreSQL evaluates the expression when the statement runs.
   */
  readonly in: (delay: number) => RawBuilder<number>;
  /**
   * Returns the number of milliseconds by which this server's clock is ahead of the database's
   * clock. Undefined if the database uses this server's clock.
   */
  readonly getSkew?: () => number;
}

/** Interval between skew measurements, in milliseconds. */
const MEASUREMENT_INTERVAL = 60_000;
/**
 * Maximum round-trip time of a precise measurement, in milliseconds. Slower measurements are
 * repeated.
 */
const SHORT_ROUND_TRIP = 50;
const MAX_ATTEMPTS = 3;
/**
 * Maximum difference between the elapsed wall-clock time and the elapsed monotonic time, in
 * milliseconds. A larger difference means that the wall clock was changed.
 */
const MAX_DRIFT = 1_000;

/** Creates the clock for a database that only this process uses. */
export function createLocalClock(now: () => number = Date.now): DatabaseClock {
  return { now, in: (delay) => sql<number>`CAST(${now() + delay} AS bigint)` };
}

/**
 * The clock of a PostgreSQL server. SQL statements use `clock_timestamp()`. Other code uses this
 * server's clock, corrected by the skew, which is measured at startup, every minute, and whenever
 * this server's clock is changed.
 */
export class PostgresClock implements DatabaseClock {
  readonly #pool: Pool;
  readonly #onMeasure: (skew: number) => void;
  #skew = 0;
  #measuredAt = 0;
  #measuredAtMonotonic = 0;
  #isMeasuring = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param onMeasure function that receives each measured skew, in milliseconds. */
  constructor(pool: Pool, onMeasure: (skew: number) => void = () => undefined) {
    this.#pool = pool;
    this.#onMeasure = onMeasure;
  }

  /** Measures the skew now and every minute. @throws {Error} if the first measurement fails. */
  async startMeasuring(): Promise<void> {
    await this.#measureSkew();
    this.#timer = setInterval(() => this.#remeasureSkew(), MEASUREMENT_INTERVAL).unref();
  }

  stopMeasuring(): void {
    clearInterval(this.#timer);
  }

  readonly now = (): number => {
    const time = Date.now();
    const drift = time - this.#measuredAt - (performance.now() - this.#measuredAtMonotonic);
    if (Math.abs(drift) > MAX_DRIFT) this.#remeasureSkew();
    return Math.round(time - this.#skew);
  };

  readonly in = (delay: number): RawBuilder<number> =>
    sql<number>`((extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${sql.lit(delay)})`;

  readonly getSkew = (): number => this.#skew;

  /** Measures the skew in the background. If the measurement fails, keeps the previous skew. */
  #remeasureSkew(): void {
    if (this.#isMeasuring) return;
    this.#isMeasuring = true;
    void this.#measureSkew()
      .catch(() => undefined)
      .finally(() => {
        this.#isMeasuring = false;
      });
  }

  async #measureSkew(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      let shortest = Infinity;
      for (
        let attempts = 0;
        attempts < MAX_ATTEMPTS && shortest > SHORT_ROUND_TRIP;
        attempts += 1
      ) {
        const startedAt = performance.now();
        const { rows } = await client.query<{ time: string }>(
          'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS time',
        );
        const endedAt = performance.now();
        const roundTrip = endedAt - startedAt;
        if (roundTrip >= shortest) continue;
        shortest = roundTrip;
        this.#measuredAt = Date.now();
        this.#measuredAtMonotonic = endedAt;
        this.#skew = this.#measuredAt - roundTrip / 2 - Number(rows[0]!.time);
      }
    } finally {
      client.release();
    }
    this.#onMeasure(this.#skew);
  }
}

/**
 * Wraps a {@link DatabaseClock.in} expression for use in a condition. Without this wrapper, the
 * database would evaluate the volatile expression for each row and could not use an index.
 */
export function evaluateOncePerStatement(time: Expression<number>): RawBuilder<number> {
  return sql<number>`(SELECT ${time})`;
}

import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Pool } from 'pg';

/** Value of `nextRunAt` for rows that no worker handles, such as pledges. */
export const NEVER = 8_640_000_000_000_000;

/** The servers agree on this clock even if their own differ. */
export interface DatabaseClock {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /**
   * SQL for the time in `delay` milliseconds, which PostgreSQL evaluates when the statement runs.
   */
  readonly in: (delay: number) => RawBuilder<number>;
  /** Milliseconds by which this server's clock is ahead, unless it is the database's. */
  readonly getSkew?: () => number;
}

/** In milliseconds. */
const MEASUREMENT_INTERVAL = 60_000;
/** Maximum round trip of a precise measurement, in milliseconds. Slower ones are repeated. */
const SHORT_ROUND_TRIP = 50;
const MAX_ATTEMPTS = 3;
/** Milliseconds between the elapsed wall-clock and monotonic times that mean a changed clock. */
const MAX_DRIFT = 1_000;

export function createLocalClock(now: () => number = Date.now): DatabaseClock {
  return { now, in: (delay) => sql<number>`CAST(${now() + delay} AS bigint)` };
}

/** SQL uses PostgreSQL's clock, other code this server's, corrected by the measured skew. */
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

/** Otherwise, a condition would evaluate the time for each row and could not use an index. */
export function evaluateOncePerStatement(time: Expression<number>): RawBuilder<number> {
  return sql<number>`(SELECT ${time})`;
}

import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresAdapter, PostgresDialect, sql, type UnknownRow } from 'kysely';
import { type Client, Pool, type PoolConfig, TypeOverrides, types } from 'pg';
import type { Database } from './database.ts';
import { PostgresClock } from './database-clock.ts';
import { rethrowDatabaseError, wrapDialectErrors } from './database-error.ts';
import { type DonorKeys, loadDonorKeys } from './donor-keys.ts';
import { runMigrations } from './migrations.ts';
import { describeConnectionError, redactUrl } from './postgres-url.ts';
import { createPostgresWriter } from './postgres-writer.ts';
import { rowMapper } from './row-mapper.ts';
import type { Tables } from './schema.ts';

const CONNECTIONS = 10;
/** In milliseconds. */
const CONNECTION_TIMEOUT = 5_000;
/** In milliseconds. */
const TIMEOUTS = {
  statement_timeout: 25_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
};
/** In milliseconds. Migrations may rewrite whole tables and wait for those of another server. */
const MIGRATION_TIMEOUT = 3_600_000;
/** Key of the lock for migrations. */
const MIGRATION_LOCK = 7_305_412;
/**
 * Silence after which the pool closes a connection, in milliseconds. Exceeds `statement_timeout`.
 */
const MAX_SILENCE = 30_000;
/** In milliseconds. */
const KEEP_ALIVE_AFTER = 10_000;
/** For queries that must not delay donations. */
const LOW_PRIORITY_CONNECTIONS = 3;
/** In milliseconds. */
const LOW_PRIORITY_TIMEOUT = 250;

export interface PostgresOptions {
  /** Time without data after which the pool closes a connection, in milliseconds. */
  readonly maxSilence?: number;
  readonly onSkewMeasured?: (skew: number) => void;
  /** Maximum time to wait for PostgreSQL to accept connections, in milliseconds. */
  readonly startTimeout?: number;
  /** Called once if PostgreSQL does not accept connections yet. */
  readonly onWait?: () => void;
}

/**
 * Opens and migrates a PostgreSQL database.
 * @throws {Error} if the database does not respond, or if its settings could cause it to lose
 *   acknowledged commits.
 */
export async function openPostgres(
  url: string,
  { maxSilence = MAX_SILENCE, onSkewMeasured, startTimeout = 0, onWait }: PostgresOptions = {},
): Promise<Database> {
  const name = redactUrl(url);
  const options = {
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
    application_name: 'donation-form',
    types: createTypeParsers(),
  };
  const deadline = performance.now() + startTimeout;
  let donorKeys: DonorKeys;
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      donorKeys = await migratePostgres(openPostgresPool(options), name);
      break;
    } catch (error) {
      if (!isTemporarilyUnavailable(error as Error) || performance.now() >= deadline) throw error;
      if (!isWaiting) onWait?.();
      await setTimeout(START_POLL_INTERVAL);
    }
  }
  const pool = openPostgresPool({ ...options, ...TIMEOUTS }, maxSilence);
  const lowPriorityPool = openPostgresPool(
    { ...options, max: LOW_PRIORITY_CONNECTIONS, statement_timeout: LOW_PRIORITY_TIMEOUT },
    maxSilence,
  );
  const db = new Kysely<Tables>({
    dialect: wrapDialectErrors(new PostgresDialect({ pool })),
    plugins: [rowMapper],
  });
  const clock = new PostgresClock(pool, onSkewMeasured);
  const close = async (): Promise<void> => {
    clock.stopMeasuring();
    await Promise.all([db.destroy(), lowPriorityPool.end()]);
    // Kysely does not close a pool that it has not used.
    if (!pool.ending) await pool.end();
  };
  try {
    await assertTimeouts(pool, name);
    await clock.startMeasuring();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    location: name,
    db,
    clock,
    donorKeys,
    writer: createPostgresWriter(pool, db),
    // Without a name, because a connection pooler may not support prepared statements.
    runCompiled: async ({ sql: text, parameters }) =>
      (await pool.query<UnknownRow>(text, [...parameters]).catch(rethrowDatabaseError)).rows,
    isShared: true,
    lowPriorityPool,
    close,
  };
}

/**
 * Opens a pool that closes silent connections. Otherwise, if the network dropped packets,
 * statements would wait forever and block the pool. `query_timeout` would leave the dead connection
 * in the pool.
 */
function openPostgresPool(options: PoolConfig, maxSilence?: number): Pool {
  // Without these listeners, a broken connection would end the process.
  return new Pool(options)
    .on('error', () => undefined)
    .on('connect', (client) => {
      client.on('error', () => undefined);
      const { stream } = (client as Client).connection;
      if (maxSilence !== undefined && stream instanceof Socket)
        stream.setTimeout(maxSilence, () => {
          stream.destroy(new Error(`PostgreSQL sent no data for ${maxSilence / 1_000} seconds`));
        });
    });
}

/** In milliseconds. */
const START_POLL_INTERVAL = 500;
/** Codes while a PostgreSQL server, or the network to it, starts or restarts. */
const STARTING_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];
/** The server is shutting down, starting, or out of connections. */
const STARTING_STATES = ['57P01', '57P03', '53300'];

function isTemporarilyUnavailable({ cause }: { readonly cause?: unknown }): boolean {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && [...STARTING_CODES, ...STARTING_STATES].includes(code);
}

/**
 * Checks and migrates a database, loads the donor keys, and then closes the pool.
 * @throws {Error} if the database does not respond or cannot be migrated, or could lose commits.
 */
async function migratePostgres(pool: Pool, name: string): Promise<DonorKeys> {
  const dialect = Object.assign(new PostgresDialect({ pool }), {
    // The migrator's own lock belongs to the connection.
    createAdapter: () =>
      Object.assign(new PostgresAdapter(), {
        acquireMigrationLock: () => Promise.resolve(),
        releaseMigrationLock: () => Promise.resolve(),
      }),
  });
  const db = new Kysely<Tables>({ dialect });
  try {
    await assertDurability(pool, name);
    // Settings and locks of the transaction: a pooler may give each transaction another connection
    // and ignore startup parameters.
    return await db
      .transaction()
      // A stricter level would hide what another server migrates during the wait.
      .setIsolationLevel('read committed')
      .execute(async (transaction) => {
        for (const setting of ['statement_timeout', 'lock_timeout'])
          await sql`SELECT set_config(${setting}, ${MIGRATION_TIMEOUT}::text, true)`.execute(
            transaction,
          );
        await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
        await runMigrations(transaction, name);
        return loadDonorKeys(transaction);
      });
  } finally {
    await db.destroy();
  }
}

async function assertDurability(pool: Pool, name: string): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    if ((await readSetting(pool, name, setting)) === 'off')
      throw new Error(
        `${name}: ${setting} is off, so PostgreSQL could lose accepted donations. Turn it on.`,
      );
  }
}

/** @throws {Error} if PostgreSQL has no timeouts, because a connection pooler ignored ours. */
async function assertTimeouts(pool: Pool, name: string): Promise<void> {
  for (const [setting, timeout] of Object.entries(TIMEOUTS)) {
    if ((await readSetting(pool, name, setting)) === '0')
      throw new Error(
        `${name}: ${setting} is 0, because a connection pooler ignores it, so donations could wait ` +
          'forever. Configure the pooler to pass it on, or run "ALTER ROLE CURRENT_USER SET ' +
          `${setting} = ${timeout}" and restart the pooler.`,
      );
  }
}

async function readSetting(pool: Pool, name: string, setting: string): Promise<string> {
  const {
    rows: [row],
  } = await pool.query<Record<string, string>>(`SHOW ${setting}`).catch((cause: unknown) => {
    throw new Error(`${name} ${describeConnectionError(cause)}`, { cause });
  });
  return row![setting]!;
}

/** Returns 64-bit integers as numbers, which is safe: none of ours exceeds 2^53. */
function createTypeParsers(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, Number);
  return overrides;
}

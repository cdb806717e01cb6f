import type { Client } from 'pg';
import { redactUrl } from '../database/postgres-url.ts';
import { type CheckResult, createCheck } from '../lib/check-result.ts';
import { checkClockSkew } from '../lib/clock-skew.ts';
import { describePendingMigrations, queryPostgres, readPostgresState } from './database-state.ts';

const databaseCheck = createCheck('database');
/** Oldest PostgreSQL major version that the tests cover. */
const MIN_VERSION = 13;

export async function checkPostgres(url: string): Promise<CheckResult[]> {
  try {
    return await queryPostgres(url, 'check', (client) => checkConnection(client, redactUrl(url)));
  } catch (error) {
    return [databaseCheck.fail((error as Error).message)];
  }
}

interface ServerSettings {
  readonly version: string;
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly full_page_writes: string;
  readonly transaction_read_only: string;
  readonly can_create: boolean | null;
  readonly time: string;
}

const SETTINGS_QUERY = `SELECT current_setting('server_version') AS version,
  current_setting('fsync') AS fsync,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('full_page_writes') AS full_page_writes,
  current_setting('transaction_read_only') AS transaction_read_only,
  has_schema_privilege(current_schema(), 'CREATE') AS can_create,
  extract(epoch FROM clock_timestamp()) AS time`;

async function checkConnection(client: Client, url: string): Promise<CheckResult[]> {
  const startedAt = performance.now();
  const { rows } = await client.query<ServerSettings>(SETTINGS_QUERY);
  const roundTrip = performance.now() - startedAt;
  const settings = rows[0]!;
  const pendingMigrations = describePendingMigrations(await readPostgresState(client));
  return [
    checkWriteAccess(url, settings, pendingMigrations),
    checkDurability(settings),
    checkClockSkew('PostgreSQL', Number(settings.time) * 1_000, roundTrip, Date.now()),
  ];
}

function checkWriteAccess(
  url: string,
  settings: ServerSettings,
  pendingMigrations: string,
): CheckResult {
  const { version } = settings;
  if (settings.transaction_read_only === 'on')
    return databaseCheck.fail(
      `${url} is read-only, for example because it is a replica. Set DATABASE_URL to the URL of ` +
        'the primary.',
    );
  if (settings.can_create !== true && pendingMigrations !== '')
    return databaseCheck.fail(
      `The user in DATABASE_URL cannot create tables in ${url}. Run GRANT CREATE ON SCHEMA ` +
        'public TO <user>.',
    );
  return Number.parseInt(version, 10) < MIN_VERSION
    ? databaseCheck.fail(
        `${url} runs PostgreSQL ${version}. Upgrade to PostgreSQL ${MIN_VERSION} or later.`,
      )
    : databaseCheck.pass(
        `${url}, from DATABASE_URL, responds: PostgreSQL ${version}.${pendingMigrations}`,
      );
}

function checkDurability({
  fsync,
  synchronous_commit,
  full_page_writes,
}: ServerSettings): CheckResult {
  const disabled = Object.entries({ fsync, synchronous_commit, full_page_writes })
    .filter(([, value]) => value === 'off')
    .map(([name]) => name);
  return disabled.length > 0
    ? createCheck('durability').fail(
        'Accepted donations could be lost because of ' +
          `${disabled.map((name) => `${name}=off`).join(' and ')}. Set ` +
          `${disabled.join(' and ')} to on.`,
      )
    : createCheck('durability').pass(
        `Commits wait until the data is on disk (synchronous_commit is ${synchronous_commit}).`,
      );
}

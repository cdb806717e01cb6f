import { Client } from 'pg';
import { compareClocks } from '../lib/clock-skew.ts';
import { ok, reasonOf, wrong, type Finding } from '../lib/finding.ts';
import { inWords } from './store-file.ts';

const PATIENCE = 5_000;
/** The oldest PostgreSQL that the tests know. */
const OLDEST = 13;

/** Looks at a database of PostgreSQL without changing it. @param url `DATABASE_URL`. */
export async function checkDatabase(url: string): Promise<Finding[]> {
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
    return [
      wrong(
        'store',
        'DATABASE_URL is no address of PostgreSQL; expected postgres://user:password@host:5432/name',
      ),
    ];
  const { host, pathname } = new URL(url);
  const name = `postgres://${host}${pathname}`;
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
    application_name: 'donation-form check',
  });
  try {
    await client.connect();
    return await look(client, name);
  } catch (error) {
    return [
      wrong(
        'store',
        `${name} does not answer (${reasonOf(error)}); check DATABASE_URL, and whether this machine may reach it`,
      ),
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface Settings {
  readonly version: string;
  readonly fsync: string;
  readonly commit: string;
  readonly pages: string;
  readonly isReadOnly: string;
  readonly mayCreate: boolean | null;
  readonly migrated: boolean;
  readonly at: string;
}

async function look(client: Client, name: string): Promise<Finding[]> {
  const began = performance.now();
  const {
    rows: [row],
  } =
    await client.query<Settings>(`SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
    current_setting('full_page_writes') AS pages, current_setting('transaction_read_only') AS "isReadOnly", has_schema_privilege(current_schema(), 'CREATE') AS "mayCreate",
    to_regclass('kysely_migration') IS NOT NULL AS migrated, extract(epoch FROM clock_timestamp()) AS at`);
  const took = performance.now() - began;
  const { fsync, commit, pages, migrated, at } = row!;
  const done = migrated
    ? (await client.query<{ name: string }>('SELECT name FROM kysely_migration')).rows.map(
        (one) => one.name,
      )
    : [];
  const off = Object.entries({ fsync, synchronous_commit: commit, full_page_writes: pages })
    .filter(([, value]) => value === 'off')
    .map(([setting]) => setting);
  return [
    checkUse(name, row!, inWords(done)),
    off.length > 0
      ? wrong(
          'durability',
          `${off.join(', ')} is off, so gifts that were taken could be lost; set it to on`,
        )
      : ok('durability', `a commit waits for the disk (synchronous_commit ${commit})`),
    compareClocks('PostgreSQL', Number(at) * 1_000, took, Date.now()),
  ];
}

/** @param missing in words; empty where nothing is. */
function checkUse(
  name: string,
  { version, isReadOnly, mayCreate }: Settings,
  missing: string,
): Finding {
  if (isReadOnly === 'on')
    return wrong(
      'store',
      `${name} takes no writes: it is a replica, or set so; name the primary in DATABASE_URL`,
    );
  if (mayCreate !== true && missing !== '')
    return wrong(
      'store',
      `${name} does not let this user make tables; GRANT CREATE ON SCHEMA public TO the user of DATABASE_URL`,
    );
  return Number.parseInt(version, 10) < OLDEST
    ? wrong('store', `${name} is PostgreSQL ${version}; expected ${OLDEST} or newer`)
    : ok('store', `${name} answers, PostgreSQL ${version}${missing}`);
}

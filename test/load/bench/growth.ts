import { DatabaseSync } from 'node:sqlite';
import { computeMedian } from '../../bench/statistics.ts';
import { renderTable } from '../report.ts';
import { fetchForm, openWorld, type World, type WorldOptions } from '../world.ts';
import { ON_FIRST_CORE } from '../wrk.ts';
import {
  type BenchResult,
  computeRateRatios,
  createDonations,
  formatInteger,
  formatSpread,
  getMedian,
  measureInRounds,
  type Measurement,
  measureRequests,
} from './measure.ts';

const CONNECTIONS = 32;
const SECONDS = 2;
const DONATIONS = 1_000_000;
const ORGANIZATIONS = 100;
const WEBHOOKS = 100_000;
/** Endpoint of webhooks that nothing listens at. */
const WEBHOOK_URL = 'http://127.0.0.1:9/';
/** Part of the rate of a new server that a grown one must keep. */
const LIMIT = 0.9;

interface Growth {
  readonly name: string;
  readonly small: WorldOptions;
  readonly large: WorldOptions;
  /** Adds rows to the database of the larger server. */
  readonly fill?: (sqlite: DatabaseSync) => void;
}

const GROWTHS: readonly Growth[] = [
  {
    name: `${DONATIONS.toLocaleString('en')} donations in the database`,
    small: {},
    large: {},
    fill: addDonations,
  },
  {
    name: `${ORGANIZATIONS} organizations`,
    small: {},
    large: { organizations: ORGANIZATIONS },
  },
  {
    name: `${WEBHOOKS.toLocaleString('en')} waiting outbound webhooks`,
    small: { webhookUrl: WEBHOOK_URL },
    large: { webhookUrl: WEBHOOK_URL },
    fill: addWebhooks,
  },
];

/** Measures how many donations a second a server accepts after it has grown. */
export async function measureGrowth(rounds: number): Promise<BenchResult> {
  const results: { name: string; small: Measurement[]; large: Measurement[] }[] = [];
  for (const { name, small, large, fill } of GROWTHS) {
    await using smallWorld = await openGrowthWorld(small);
    await using largeWorld = await openGrowthWorld(large);
    if (fill) await fillDatabase(largeWorld, fill);
    const subjects = [
      { name: 'small', measure: await prepareMeasurement(smallWorld) },
      { name: 'large', measure: await prepareMeasurement(largeWorld) },
    ];
    await measureInRounds(subjects, 1);
    const [smallResults, largeResults] = await measureInRounds(subjects, rounds);
    results.push({ name, small: smallResults!, large: largeResults! });
  }
  return {
    text: renderTable([
      [
        'a server with',
        'donations per second',
        'CPU time, µs per donation',
        'ratio to a new server',
      ],
      ...results.map(({ name, small, large }) => [
        name,
        formatInteger(getMedian(large, 'rate')),
        formatInteger(getMedian(large, 'cpuTime')),
        formatSpread(computeRateRatios(large, small)),
      ]),
    ]),
    goals: results.map(({ name, small, large }) => ({
      name: `server with ${name} ÷ a new server`,
      limit: LIMIT,
      measured: computeMedian(computeRateRatios(large, small)),
      isMinimum: true,
    })),
  };
}

const openGrowthWorld = (options: WorldOptions): Promise<World> =>
  openWorld({ ...options, sandbox: { hourlyLimit: 1 }, commandPrefix: ON_FIRST_CORE });

/** Starts a server and returns a function that measures how many donations it accepts. */
async function prepareMeasurement(world: World): Promise<() => Promise<Measurement>> {
  const server = await world.startServer();
  const donations = createDonations(await fetchForm(server.url));
  return () =>
    measureRequests([server], {
      urls: [server.url],
      connections: CONNECTIONS,
      seconds: SECONDS,
      donations,
    });
}

/** Accepts donations as samples, stops the server, and adds rows to its database. */
async function fillDatabase(world: World, fill: (sqlite: DatabaseSync) => void): Promise<void> {
  const { database } = world;
  if (!('file' in database)) throw new Error('expected an SQLite database');
  const server = await world.startServer();
  const donations = createDonations(await fetchForm(server.url));
  const options = { urls: [server.url], connections: 1, seconds: 1, donations };
  await measureRequests([server], options);
  await server.terminate();
  const sqlite = new DatabaseSync(database.file);
  sqlite.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000;');
  fill(sqlite);
  sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE);');
  sqlite.close();
}

/** Copies a donation and its outbox event, with keys at random places in the indexes. */
function addDonations(sqlite: DatabaseSync): void {
  sqlite.exec(`
    CREATE TEMP TABLE added AS
      WITH RECURSIVE numbers (n) AS (
        SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${DONATIONS}
      ) SELECT hex(randomblob(6)) AS reference FROM numbers;`);
  copyRows(sqlite, 'donations', {
    reference: 'added.reference',
    idempotency_key_hash: 'hex(randomblob(32))',
    payment_id: 'added.reference',
    created_at: 'sample.created_at - abs(random()) % 31536000000',
  });
  copyRows(sqlite, 'outbox', {
    id: `'donation ' || added.reference`,
    reference: 'added.reference',
    payment_id: 'NULL',
    status: `'delivered'`,
    created_at: 'sample.created_at - abs(random()) % 31536000000',
  });
}

/** Copies the messages of an endpoint that does not respond. They are due in an hour. */
function addWebhooks(sqlite: DatabaseSync): void {
  sqlite.exec(`
    CREATE TEMP TABLE added AS
      WITH RECURSIVE numbers (n) AS (
        SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${WEBHOOKS}
      ) SELECT n FROM numbers;`);
  copyRows(sqlite, 'webhook_messages', {
    id: 'hex(randomblob(16))',
    next_run_at: `${Date.now() + 3_600_000} + added.n`,
  });
}

/** Inserts one copy of a table's first row for each row of the table `added`. */
function copyRows(
  sqlite: DatabaseSync,
  table: string,
  changes: Readonly<Record<string, string>>,
): void {
  const columns = sqlite
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name));
  const values = columns.map((column) => changes[column] ?? `sample.${column}`);
  sqlite.exec(
    `INSERT INTO ${table} (${columns.join()}) SELECT ${values.join()} ` +
      `FROM added CROSS JOIN (SELECT * FROM ${table} LIMIT 1) AS sample`,
  );
}

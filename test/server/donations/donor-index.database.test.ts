import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { CompiledQuery, type KyselyPlugin, sql } from 'kysely';
import type { Database } from '../../../src/server/database/database.ts';
import { openDatabase } from '../../../src/server/database/open-database.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { DonorIndexer, findDonorKey } from '../../../src/server/donations/donor-index.ts';
import { createLogger } from '../../../src/server/lib/logger.ts';
import { exportDonor } from '../../../src/server/privacy/donor-requests.ts';
import { findSearchedDonorKey } from '../../../src/server/reporting/donation-filter.ts';
import { iterateExportLines } from '../../../src/server/reporting/export-rows.ts';
import { findDonations } from '../../../src/server/reporting/find-donations.ts';
import { extractCodeBlocks } from '../../code-blocks.ts';
import { waitUntil } from '../../wait-until.ts';
import { addDonation, addRenewal } from '../reporting/add-donation.ts';
import { createFolder } from '../temporary-folder.ts';
import { createDatabaseUrl, openTestDatabase } from '../test-database.ts';

const ORGANIZATION = 'lanternwell';
const EMAIL = 'zoé.souza@example.org';
/** Other spellings of the same email: uppercase, and a letter with a combining accent. */
const SPELLINGS = [EMAIL, 'ZOÉ.Souza@Example.org', EMAIL.normalize('NFD')];
const ALL_TIME = { from: 0, to: Number.MAX_SAFE_INTEGER };
const log = createLogger('silent');

const addDonationBy = (database: Database, email: string | undefined, organization?: string) =>
  addDonation(new DonationRepository(database), {
    donor: { firstName: 'Ana', lastName: 'Souza', email },
    frequency: 'monthly',
    ...(organization !== undefined && { organization }),
  });

/** Opens a database that another process can open, too. */
async function createSharedDatabase() {
  const options = {
    file: join(createFolder(), 'donations.sqlite'),
    url: (await createDatabaseUrl()).DATABASE_URL,
  };
  return { options, open: () => openDatabase(options) };
}

/** Leaves the rows as the previous release saves them, which sets none of the keys. */
async function removeKeys({ db }: Database, ...references: string[]): Promise<void> {
  await db
    .updateTable('donations')
    .set({ donorKey: null, notifyKey: null })
    .$if(references.length > 0, (query) => query.where('reference', 'in', references))
    .execute();
}

const indexDonations = (database: Database): Promise<void> =>
  new DonorIndexer({ database, log }).indexDonations(new AbortController().signal);

/** Finds a donor's donations on the admin page, in its export, and for a privacy request. */
async function searchEmail(database: Database, email: string): Promise<Record<string, string[]>> {
  const { db } = database;
  const query = { organization: ORGANIZATION, period: ALL_TIME, filter: { search: email } };
  const donorKey = await findSearchedDonorKey(database, ORGANIZATION, query.filter);
  const { entries } = await findDonations(db, { ...query, donorKey, limit: 50 });
  const exported: string[] = [];
  const isIncluded = () => true;
  const filter = { donorKey, isIncluded };
  if (donorKey !== undefined)
    for await (const line of iterateExportLines(db, ORGANIZATION, ALL_TIME, 'UTC', filter))
      if (line.kind === 'row') exported.push(line.row.reference!);
  const request = { organization: ORGANIZATION, email };
  const { donations } = await exportDonor(request, { database, log, now: Date.now });
  const sort = (references: readonly string[]) => references.toSorted();
  return {
    list: sort(entries.map(({ reference }) => reference)),
    ...(donorKey !== undefined && { export: sort(exported) }),
    request: sort(donations.map((donation) => (donation as { reference: string }).reference)),
  };
}

test('finds the donations and renewals of an email, in any spelling, of one organization', async () => {
  await using database = await openTestDatabase();
  const own = [await addDonationBy(database, EMAIL), await addDonationBy(database, SPELLINGS[1])];
  await addRenewal(new DonationRepository(database), own[0]!, { at: Date.now(), amount: 5_000 });
  await addDonationBy(database, 'zoe.souza@example.org');
  await addDonationBy(database, EMAIL, 'other');
  const anonymous = await addDonationBy(database, undefined);
  const donations = own.toSorted();
  const withRenewal = [...donations, `${own[0]}-2`].toSorted();
  const withoutIndex = { list: withRenewal, request: donations };
  const expected = { ...withoutIndex, export: withRenewal };
  for (const email of SPELLINGS) assert.deepEqual(await searchEmail(database, email), expected);
  await removeKeys(database, own[1]!, anonymous);
  assert.equal(await findDonorKey(database, ORGANIZATION, EMAIL), undefined);
  for (const email of SPELLINGS) assert.deepEqual(await searchEmail(database, email), withoutIndex);
  await indexDonations(database);
  for (const email of SPELLINGS) assert.deepEqual(await searchEmail(database, email), expected);
  const keys = await database.db.selectFrom('donations').select('donorKey').execute();
  assert.equal(new Set(keys.map(({ donorKey }) => donorKey)).size, 4);
});

test('indexes what a server of the previous release saves, and forgets donors that it deletes', async () => {
  await using database = await openTestDatabase();
  const [kept, deleted] = [
    await addDonationBy(database, EMAIL),
    await addDonationBy(database, EMAIL),
  ];
  await removeKeys(database, kept);
  await database.db
    .updateTable('donations')
    .set({ donorDeletedAt: 1 })
    .where('reference', '=', deleted)
    .execute();
  const indexer = new DonorIndexer({ database, log });
  await indexer.wake();
  await indexer.stop();
  const rows = await database.db
    .selectFrom('donations')
    .select(['reference', 'donorKey'])
    .execute();
  const key = await findDonorKey(database, ORGANIZATION, EMAIL);
  assert.ok(key);
  assert.deepEqual(Object.fromEntries(rows.map((row) => [row.reference, row.donorKey])), {
    [kept]: key,
    [deleted]: null,
  });
});

test('indexes the donations of the previous release, although the server is killed several times', async () => {
  const { options, open } = await createSharedDatabase();
  let database = await open();
  const own: string[] = [];
  for (let index = 0; index < 4; index += 1) own.push(await addDonationBy(database, EMAIL));
  await insertOtherDonations(database, 3_000, null);
  await undoMigration(database);
  await database.close();
  const countIndexed = async ({ db }: Database): Promise<number> => {
    const { count } = await db
      .selectFrom('donations')
      .where('donorKey', 'is not', null)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  };
  const counts = [0];
  for (let kill = 0; kill < 4; kill += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', INDEX_SCRIPT], {
      env: { ...process.env, OPTIONS: JSON.stringify(options) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // The child prints a line after each transaction.
    let transactions = 0;
    child.stdout.on('data', (data: Buffer) => (transactions += data.toString().length));
    await waitUntil(() => transactions > kill);
    child.kill('SIGKILL');
    await once(child, 'close');
    database = await open();
    counts.push(await countIndexed(database));
    const { list, request } = await searchEmail(database, EMAIL);
    assert.deepEqual([list, request], [own.toSorted(), own.toSorted()]);
    await database.close();
  }
  assert.deepEqual(
    counts,
    counts.toSorted((one, other) => one - other),
  );
  assert.ok(counts.at(-1)! > counts[1]! && counts.at(-1)! < 3_004, String(counts));
  database = await open();
  await indexDonations(database);
  assert.equal(await countIndexed(database), 3_004);
  assert.equal((await searchEmail(database, EMAIL)).export?.length, 4);
  await database.close();
});

test('finds donations after the secret of the keys is lost or changed', async () => {
  const { open } = await createSharedDatabase();
  let database = await open();
  const own = [await addDonationBy(database, EMAIL)];
  const key = await findDonorKey(database, ORGANIZATION, EMAIL);
  await database.close();
  database = await open();
  assert.equal(await findDonorKey(database, ORGANIZATION, EMAIL), key);
  const [statement] = extractCodeBlocks('docs/server/changing-keys.md').filter(
    ({ language }) => language === 'sql',
  );
  await sql.raw(statement!.code).execute(database.db);
  await database.close();
  database = await open();
  const found = { list: own, request: own };
  assert.deepEqual(await searchEmail(database, EMAIL), found);
  await indexDonations(database);
  assert.deepEqual(await searchEmail(database, EMAIL), { ...found, export: own });
  assert.notEqual(await findDonorKey(database, ORGANIZATION, EMAIL), key);
  await database.close();
});

test('among 100,000 donations, a search by email reads only those of the donor', async () => {
  await using database = await openTestDatabase();
  await insertOtherDonations(database, 100_000, sql`'key ' || n`);
  const own = [await addDonationBy(database, EMAIL), await addDonationBy(database, EMAIL)];
  await addRenewal(new DonationRepository(database), own[0]!, { at: Date.now(), amount: 5_000 });
  if (database.isShared) await sql`ANALYZE`.execute(database.db);
  const queries: CompiledQuery[] = [];
  let rows = 0;
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      queries.push(database.db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => {
      rows += result.rows.length;
      return result;
    },
  };
  const { list, request } = await searchEmail(
    { ...database, db: database.db.withPlugin(recorder) },
    EMAIL,
  );
  assert.deepEqual([list?.length, request], [3, own.toSorted()]);
  assert.ok(rows > 5 && rows < 50, String(rows));
  const plans = await Promise.all(queries.map((query) => explainQuery(database, query)));
  assert.deepEqual(
    plans.flat().filter(({ isSlow }) => isSlow),
    [],
  );
  const used = JSON.stringify(plans);
  for (const index of ['donations_donor', 'donations_notify', 'donations_wrong_keys'])
    assert.ok(used.includes(index), index);
});

/** Indexes donations in another process, which prints a dot after each transaction. */
const INDEX_SCRIPT = `
  import { openDatabase } from './src/server/database/open-database.ts';
  import { DonorIndexer } from './src/server/donations/donor-index.ts';
  const database = await openDatabase(JSON.parse(process.env.OPTIONS));
  const { write } = database.writer;
  const writer = {
    ...database.writer,
    write: async (work) => {
      const result = await write(work);
      process.stdout.write('.');
      return result;
    },
  };
  const log = { info() {}, error: console.error };
  await new DonorIndexer({ database: { ...database, writer }, log }).wake();
  await database.close();
`;

/** Inserts donations by others, half of which have lower references than real donations. */
async function insertOtherDonations({ db }: Database, count: number, key: unknown): Promise<void> {
  const payload = JSON.stringify({
    gift: { amount: 1, total: 1, currency: 'USD', frequency: 'once', projects: [] },
    donor: { firstName: 'Ana', lastName: 'Souza', email: 'donor.souza@example.org' },
    form: { id: 'main' },
    payment: { provider: 'offline' },
    decimals: 2,
    projects: [],
  });
  await sql`
    INSERT INTO donations (
      reference, idempotency_key_hash, fingerprint, organization, status, payload, attempts,
      charge_started_at, next_run_at, created_at, updated_at, donor_key
    )
    WITH RECURSIVE numbers (n) AS (
      SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(count)}
    )
    SELECT CASE n % 2 WHEN 0 THEN '#' ELSE 'other ' END || n, 'hash ' || n, '', ${ORGANIZATION}, 'succeeded', CAST(${payload} AS text),
      0, n, n, n, n, ${key} FROM numbers`.execute(db);
}

/** Leaves the tables as the previous release created them. */
async function undoMigration({ db }: Database): Promise<void> {
  for (const statement of [
    'DROP INDEX donations_donor',
    'DROP INDEX donations_notify',
    'DROP INDEX donations_wrong_keys',
    'ALTER TABLE donations DROP COLUMN donor_key',
    'ALTER TABLE donations DROP COLUMN notify_key',
    "DELETE FROM kysely_migration WHERE name = '0005-donor-keys'",
    "DELETE FROM server_info WHERE name = 'donor_key_secret'",
  ])
    await sql.raw(statement).execute(db);
}

interface PlanNode {
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns the steps of a query's plan that read a table, and whether they read too many rows. */
async function explainQuery({ db, isShared }: Database, { sql: text, parameters }: CompiledQuery) {
  const raw = db.withoutPlugins();
  if (!isShared) {
    const { rows } = await raw.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`EXPLAIN QUERY PLAN ${text}`, [...parameters]),
    );
    return rows.map(({ detail }) => ({
      step: detail,
      isSlow: /^SCAN (donations|outbox)\b|_(created|happened|data) /.test(detail),
    }));
  }
  const { rows } = await raw.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    CompiledQuery.raw(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...parameters]),
  );
  const listNodes = (node: PlanNode): PlanNode[] => [
    node,
    ...(node.Plans ?? []).flatMap((child) => listNodes(child)),
  ];
  return listNodes(rows[0]!['QUERY PLAN'][0].Plan)
    .filter((node) => node['Relation Name'] !== undefined)
    .map((node) => ({
      step: `${node['Relation Name']} ${node['Index Name']}`,
      isSlow:
        node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) > 50,
    }));
}

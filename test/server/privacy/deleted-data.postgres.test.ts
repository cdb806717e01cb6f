import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { waitUntil } from '../../wait-until.ts';
import { issueReceipts, neutralReceipts } from '../receipts/support.ts';
import { callReportingApi, waitForDelivery } from '../reporting/support.ts';
import { startServer, type TestServer } from '../support.ts';
import { testOverPostgres } from '../test-database.ts';

const CANARY = 'Canaria-Quenby';
const MAIL_CANARY = 'canary-of-an-smtp-answer';

testOverPostgres(
  "bar 23: a donor's deletion leaves nothing in PostgreSQL's tables after the documented VACUUM",
  async () => {
    await using server = await startServer({ receipts: neutralReceipts });
    await server.postDonation(
      await server.createRequest({
        donor: { firstName: CANARY, lastName: CANARY, email: 'canaria@example.org' },
      }),
    );
    await waitForDelivery(server);
    await issueReceipts(server);
    const { donorKey, reference } = await server.database.db
      .selectFrom('donations')
      .select(['donorKey', 'reference'])
      .executeTakeFirstOrThrow();
    const event = `donation ${reference}`;
    await server.database.db
      .insertInto('mailMessages')
      .values({
        id: `thank_you ${event}`,
        organization: 'lanternwell',
        kind: 'thank_you',
        event,
        status: 'failed',
        attempts: 1,
        nextRunAt: 0,
        lastError: MAIL_CANARY,
        createdAt: 0,
        updatedAt: 0,
      })
      .execute();
    const canaries = [CANARY, donorKey!, MAIL_CANARY];
    for (const canary of canaries)
      assert.ok((await countInFiles(server, canary)) > 0, 'it was stored');
    await callReportingApi(server, '/donors/delete', { email: 'canaria@example.org', by: 'Mara' });
    await waitForOpenTransactions(server);
    await sql.raw(await readVacuumStatement()).execute(server.database.db);
    for (const canary of canaries) assert.equal(await countInFiles(server, canary), 0);
  },
);

/** Returns the statement of docs/server/records.md that rewrites the tables. */
async function readVacuumStatement(): Promise<string> {
  const [, statement] =
    /`(VACUUM FULL [^`]+)`/.exec(await readFile('docs/server/records.md', 'utf8')) ?? [];
  assert.ok(statement);
  return statement;
}

/**
 * Waits until no transaction can see the rows as they were before the deletion. This includes
 * transactions in the databases of other tests.
 */
async function waitForOpenTransactions({ database: { db } }: TestServer): Promise<void> {
  const { rows } = await sql<{ id: string }>`SELECT pg_current_xact_id()::text AS id`.execute(db);
  const { id } = rows[0]!;
  await waitUntil(async () => {
    const result = await sql<{ ended: boolean }>`
      SELECT pg_snapshot_xmin(pg_current_snapshot()) > ${id}::xid8 AND NOT EXISTS (
        SELECT FROM pg_stat_activity
        WHERE backend_xmin::text::bigint <= ${id}::bigint
      ) AS ended`.execute(db);
    return result.rows[0]!.ended;
  });
}

/** Counts the occurrences of a text in the files of the database. */
async function countInFiles({ database: { db } }: TestServer, text: string): Promise<number> {
  await sql`CHECKPOINT`.execute(db);
  const { rows } = await sql<{ folder: string }>`
    SELECT current_setting('data_directory') || '/base/' || oid AS folder
    FROM pg_database WHERE datname = current_database()`.execute(db);
  const { folder } = rows[0]!;
  const files = await readdir(folder);
  const counts = await Promise.all(
    files.map(
      async (file) => (await readFile(join(folder, file), 'latin1')).split(text).length - 1,
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { extractCodeBlocks } from '../../code-blocks.ts';
import { CARDS as STRIPE_CARDS } from '../../fake-stripe.ts';
import { startAdminServer } from '../admin/support.ts';
import { callReportingApi, waitForDelivery } from '../reporting/support.ts';
import { startServer } from '../support.ts';
import { testOverPostgres as test } from '../test-database.ts';

test('refuses to back up PostgreSQL, and names its own tools', async () => {
  await using server = await startServer();
  assert.equal(server.database.copy, undefined);
  const response = await callReportingApi(server, '/backup', { file: '/nowhere/copy.sqlite' });
  assert.match(
    await response.text(),
    /This command does not back up PostgreSQL databases\. Use pg_dump/,
  );
});

test('marks only donations in progress with the SQL that docs/server/backups.md runs on a restored dump', async () => {
  await using server = await startAdminServer();
  const { reference: waiting } = await server.donate(STRIPE_CARDS.authenticated);
  const { reference: done } = await server.donate();
  await waitForDelivery(server);
  for (const statement of extractCodeBlocks('docs/server/backups.md')
    .filter(({ language }) => language === 'sql')
    .flatMap(({ code }) => code.trim().split('\n')))
    await sql.raw(statement).execute(server.database.db);
  assert.equal(
    (await server.repository.findByReference(waiting))!.restoredAt,
    Date.UTC(2026, 10, 30, 2),
  );
  assert.equal((await server.repository.findByReference(done))!.restoredAt, null);
});

import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { extractCodeBlocks } from '../../code-blocks.ts';
import { CARDS as STRIPE_CARDS } from '../../fake-stripe.ts';
import { startAdminServer } from '../admin/support.ts';
import { startSmtpServer } from '../alerts/support.ts';
import { createTestMail, listMailMessages, sendNow } from '../mail/support.ts';
import { issueReceipts, listReceipts, neutralReceipts } from '../receipts/support.ts';
import { addDonation, addEvent } from '../reporting/add-donation.ts';
import { callReportingApi, waitForDelivery } from '../reporting/support.ts';
import { startServer, type TestServer } from '../support.ts';
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

async function markAsRestored({ database }: Pick<TestServer, 'database'>): Promise<void> {
  for (const statement of extractCodeBlocks('docs/server/backups.md')
    .filter(({ language }) => language === 'sql')
    .flatMap(({ code }) => code.trim().split('\n')))
    await sql.raw(statement).execute(database.db);
}

test('marks only donations in progress with the SQL that docs/server/backups.md runs on a restored dump', async () => {
  await using server = await startAdminServer();
  const { reference: waiting } = await server.donate(STRIPE_CARDS.authenticated);
  const { reference: done } = await server.donate();
  await waitForDelivery(server);
  await markAsRestored(server);
  assert.equal(
    (await server.repository.findByReference(waiting))!.restoredAt,
    Date.UTC(2026, 10, 30, 2),
  );
  assert.equal((await server.repository.findByReference(done))!.restoredAt, null);
});

test('that SQL cancels the waiting mail, and leaves receipts to the original server, even after a refund', async () => {
  await using smtp = await startSmtpServer();
  const now = Date.now();
  await using server = await startServer({
    hasBackgroundJobs: false,
    mail: createTestMail(smtp.port),
    receipts: neutralReceipts,
    now: () => now,
  });
  const reference = await addDonation(server.repository);
  await markAsRestored(server);
  await addEvent(server.repository, reference, 'refund', { at: now, amount: 1_000 });
  await issueReceipts(server);
  await sendNow(server);
  assert.deepEqual(await listReceipts(server), []);
  assert.deepEqual(smtp.received, []);
  assert.deepEqual(
    (await listMailMessages(server)).map(({ status, lastError }) => [status, lastError]),
    [['canceled', 'It was about to be sent when the database was backed up.']],
  );
});

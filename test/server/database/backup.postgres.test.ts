import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { extractCodeBlocks } from '../../code-blocks.ts';
import { CARDS as STRIPE_CARDS } from '../../fake-stripe/index.ts';
import { openAdminDesk } from '../admin/support.ts';
import { testOverPostgres as test } from '../test-database.ts';
import { openDesk } from '../support.ts';
import { order, told } from '../reporting/support.ts';

test('a database on PostgreSQL is told to be copied by its own means', async () => {
  await using desk = await openDesk();
  assert.equal(desk.records.database.copy, undefined);
  assert.match(
    (
      (await (await order(desk, '/backup', { file: join(tmpdir(), 'copy.sqlite') })).json()) as {
        message: string;
      }
    ).message,
    /PostgreSQL databases are not backed up by this command: use pg_dump/,
  );
});

test('what docs/records.md puts into a restored dump marks what was under way, and nothing else', async () => {
  await using desk = await openAdminDesk();
  const { reference: waiting } = await desk.give(STRIPE_CARDS.authenticated);
  const { reference: done } = await desk.give();
  await told(desk);
  for (const statement of extractCodeBlocks('docs/records.md')
    .filter(({ language }) => language === 'sql')
    .flatMap(({ code }) => code.trim().split('\n')))
    await sql.raw(statement).execute(desk.records.database.db);
  assert.equal(
    (await desk.repository.findByReference(waiting))!.restored_at,
    Date.UTC(2026, 10, 30, 2),
  );
  assert.equal((await desk.repository.findByReference(done))!.restored_at, null);
});

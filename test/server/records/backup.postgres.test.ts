import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { codeBlocks } from '../../code-blocks.ts';
import { CARDS as STRIPE_CARDS } from '../../fake-stripe/index.ts';
import { openOperatorDesk } from '../operator-support.ts';
import { testOverPostgres as test } from '../store.ts';
import { openDesk } from '../support.ts';
import { order, told } from './support.ts';

test('a store on PostgreSQL is told to be copied by its own means', async () => {
  await using desk = await openDesk();
  assert.equal(desk.records.store.copy, undefined);
  assert.match(
    (
      (await (await order(desk, '/backup', { file: join(tmpdir(), 'copy.sqlite') })).json()) as {
        message: string;
      }
    ).message,
    /PostgreSQL, which has its own means: pg_dump/,
  );
});

test('what docs/records.md puts into a restored dump marks what was under way, and nothing else', async () => {
  await using desk = await openOperatorDesk();
  const { reference: waiting } = await desk.give(STRIPE_CARDS.authenticated);
  const { reference: done } = await desk.give();
  await told(desk);
  for (const statement of codeBlocks('docs/records.md')
    .filter(({ language }) => language === 'sql')
    .flatMap(({ code }) => code.trim().split('\n')))
    await sql.raw(statement).execute(desk.records.store.db);
  assert.equal(
    (await desk.repository.findByReference(waiting))!.restored_at,
    Date.UTC(2026, 10, 30, 2),
  );
  assert.equal((await desk.repository.findByReference(done))!.restored_at, null);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { readProblem, startServer } from '../support.ts';
import { createFolder } from '../temporary-folder.ts';

test('logs that the disk is full, charges nothing, and accepts donations once there is room', async () => {
  const folder = createFolder();
  const server = await startServer({ database: join(folder, 'donations.sqlite') });
  const { db } = server.database;
  const {
    rows: [size],
  } = await sql<{ pageCount: number }>`PRAGMA page_count`.execute(db);
  await sql.raw(`PRAGMA max_page_count = ${size!.pageCount}`).execute(db);
  const responses = [];
  for (let index = 0; index < 20; index += 1)
    responses.push(
      await server.postDonation(
        await server.createRequest({ gift: { comment: 'x'.repeat(1_000) } }),
      ),
    );
  const refused = responses.filter(({ status }) => status === 503);
  assert.ok(refused.length >= 10, `${refused.length} of 20 were refused`);
  assert.equal((await readProblem(refused[0]!)).code, 'unavailable');
  const reasons = server.logLines
    .map((line) => JSON.parse(line) as { level: number; reason?: string })
    .filter(({ level }) => level >= 50)
    .map(({ reason }) => reason);
  assert.ok(reasons.length >= refused.length);
  assert.deepEqual([...new Set(reasons)], ['database or disk is full']);
  await sql.raw('PRAGMA max_page_count = 100000').execute(db);
  const { reference } = await server.makeDonation();
  assert.equal((await server.listCharges(reference)).length, 1);
  await server[Symbol.asyncDispose]();
});

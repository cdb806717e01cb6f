import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openDatabase } from '../../../src/server/database/open-database.ts';
import { recordVersion } from '../../../src/server/database/server-info.ts';
import { runRestoreChecks } from '../../../src/server/diagnostics/restore.ts';
import type { CheckResult } from '../../../src/server/lib/check-result.ts';
import { insertDonation } from '../database/insert-donation.ts';
import { configuration } from '../support.ts';
import { createFolder } from '../temporary-folder.ts';

const run = (file: string, ...statements: string[]): void => {
  using client = new DatabaseSync(file);
  for (const statement of statements) client.exec(statement);
};

test('says what a backup holds, and warns only about what would be lost since it was made', async () => {
  const folder = createFolder();
  const [file, copy] = [join(folder, 'donations.sqlite'), join(folder, 'copy.sqlite')];
  const database = await openDatabase({ file, url: undefined });
  await recordVersion(database, '0.1.0');
  insertDonation(file, { reference: 'A' });
  insertDonation(file, { reference: 'B', status: 'processing' });
  await database.copy!(copy);
  const check = (path = copy): CheckResult[] =>
    runRestoreChecks(path, { ...configuration, database: file });
  const list = (results: readonly CheckResult[]): string[] =>
    results
      .filter(({ status }) => status !== 'pass')
      .map(({ name, status, message }) => `${status} ${name}: ${message}`);
  const unchanged = check();
  assert.deepEqual(list(unchanged), []);
  const messages = new Map(unchanged.map(({ name, message }) => [name, message]));
  assert.match(
    messages.get('backup')!,
    /is undamaged and was made on \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
  );
  assert.match(messages.get('version')!, /The database was last opened by 0\.1\.0\.$/);
  assert.match(messages.get('database')!, /^A server is using .* Stop the server/);
  assert.equal(messages.get('donations'), '2: 1 processing, 1 succeeded.');

  insertDonation(file, { reference: 'C' });
  insertDonation(file, { reference: 'D', status: 'failed' });
  run(
    file,
    "UPDATE donations SET donor_deleted_at = 1 WHERE reference = 'A'",
    `INSERT INTO outbox (id, organization, reference, kind, status, payload, attempts, next_run_at,
       happened_at, created_at, updated_at)
     VALUES ('refund', 'lanternwell', 'A', 'refund', 'delivered', '{}', 0, 0, 0, 0, 0)`,
    `INSERT INTO review_decisions (id, reference, decision, from_status, to_status, decided_by,
       note, decided_at) VALUES ('1', 'A', 'succeeded', 'needs_review', 'succeeded', 'x', '', 0)`,
  );
  await database.close();
  assert.deepEqual(
    list(check()).map((line) => /^.*?: \D*\d+ \w+/.exec(line)?.[0]),
    [
      'warning lost donations: A restore would lose the donations made since the backup (1 failed',
      'warning later events: A restore would lose 1 change',
      'warning review decisions: A restore would lose 1 decision',
      'warning deleted donor data: A restore would bring back donor data that was deleted from 1 donation',
    ],
  );

  const unmarked = join(folder, 'file.sqlite');
  await copyFile(file, unmarked);
  assert.match(
    list(check(unmarked)).join('\n'),
    /^fail marks: 1 unfinished or recurring donation is not marked as restored, so the server could /m,
  );
  const corrupt = join(folder, 'corrupt.sqlite');
  const bytes = await readFile(copy);
  bytes.fill(7, 4_096, 40_960);
  await writeFile(corrupt, bytes);
  assert.match(list(check(corrupt)).join('\n'), /^fail backup: /);
  run(copy, "INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '')");
  assert.match(list(check()).join('\n'), /^fail version: .*later release/m);
  assert.throws(() => check(join(folder, 'none.sqlite')), /none\.sqlite does not exist/);
});

test('warns about a backup of another database, but not if the current one is empty', async () => {
  const folder = createFolder();
  const [file, copy] = [join(folder, 'new.sqlite'), join(folder, 'copy.sqlite')];
  const old = await openDatabase({ file: join(folder, 'old.sqlite'), url: undefined });
  insertDonation(join(folder, 'old.sqlite'), { reference: 'A' });
  await old.copy!(copy);
  await old.close();
  await (await openDatabase({ file, url: undefined })).close();
  const readResult = (): string => {
    const { status, message } = runRestoreChecks(copy, { ...configuration, database: file }).find(
      ({ name }) => name === 'same database',
    )!;
    return `${status} ${message}`;
  };
  assert.match(readResult(), /^pass .*new\.sqlite contains no donations\. If it should, check /);
  insertDonation(file, { reference: 'B' });
  assert.match(readResult(), /^warning The current database lacks 1 of the donations/);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { test } from 'node:test';
import { listUnfinishedWork } from '../../../src/server/admin/read-models/overview.ts';
import { openSqlite } from '../../../src/server/database/sqlite-database.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import {
  countOrphanedWork,
  countUnfinishedWork,
} from '../../../src/server/observability/queries.ts';
import { createFolder } from '../temporary-folder.ts';

const ORGANIZATIONS = ['lanternwell'];

test('SQLite finds unfinished work with an index, not by reading all donations', async (context) => {
  const folder = createFolder();
  const file = join(folder, 'database.sqlite');
  const database = await openSqlite(file);
  const statements = new Set<string>();
  const { prepare } = DatabaseSync.prototype as {
    prepare: (this: DatabaseSync, sql: string) => StatementSync;
  };
  context.mock.method(
    DatabaseSync.prototype,
    'prepare',
    function recordSelect(this: DatabaseSync, sql: string) {
      if (/^(select|with)\b/i.test(sql)) statements.add(sql);
      return prepare.call(this, sql);
    },
  );
  const repository = new DonationRepository(database);
  await repository.listDueForPaymentCheck('lanternwell', ['processing', 'unconfirmed'], 50);
  await repository.listByStatus('needs_review', 50);
  await repository.outbox.listDueEntries('lanternwell', 50);
  await repository.outbox.listByStatus('manual', 50);
  await repository.reviewDecisions.listEntriesNeedingReview({}, 50);
  await listUnfinishedWork(database.db, ORGANIZATIONS, Date.now());
  await countUnfinishedWork(database, ORGANIZATIONS);
  await countOrphanedWork(database, ORGANIZATIONS);
  context.mock.restoreAll();
  const reader = new DatabaseSync(file, { readOnly: true });
  const slowPlans = [...statements].flatMap((sql) =>
    reader
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .filter((detail) => /^SCAN (donations|outbox)\b|_created \(organization=\?\)$/.test(detail))
      .map((detail) => `${detail}: ${sql}`),
  );
  reader.close();
  await database.close();
  assert.ok(statements.size > 10, String(statements.size));
  assert.deepEqual(slowPlans, []);
});

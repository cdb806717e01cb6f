import type { DatabaseSync } from 'node:sqlite';
import { createPassedResult, createWarningResult, type CheckResult } from '../lib/check-result.ts';

const DAY = 86_400_000;

/** Builds the `FROM` clause for rows that one database has and the other lacks, matched by key. */
const missingRows = (table: string, key: string, from: string, other: string): string =>
  `FROM ${from}.${table} AS row WHERE NOT EXISTS (SELECT 1 FROM ${other}.${table} AS same ` +
  `WHERE same.${key} = row.${key})`;

/**
 * Compares a backup with the database that it would replace. A server may be using that database.
 * @param info values that the backup records about itself, such as `backup_made_at`.
 */
export function compareWithCurrentDatabase(
  backup: DatabaseSync,
  currentFile: string,
  info: ReadonlyMap<string, string>,
): CheckResult[] {
  backup.prepare('ATTACH DATABASE ? AS current').run(currentFile);
  const count = (query: string): number =>
    (backup.prepare(`SELECT count(*) AS count ${query}`).get() as { readonly count: number }).count;
  const madeAt = info.get('backup_made_at');
  const results = [
    checkSameDatabase(count(missingRows('donations', 'reference', 'main', 'current'))),
    checkLostDonations(backup),
    checkLaterEvents(
      count(`${missingRows('outbox', 'id', 'current', 'main')} AND row.kind <> 'donation'`),
      madeAt,
    ),
    checkDecisions(count(missingRows('review_decisions', 'id', 'current', 'main'))),
    checkDeletedDonors(
      count(
        'FROM current.donations AS row JOIN main.donations AS same USING (reference) ' +
          'WHERE row.donor_deleted_at IS NOT NULL AND same.donor_deleted_at IS NULL',
      ),
    ),
  ];
  backup.exec('DETACH DATABASE current');
  return results;
}

function checkSameDatabase(foreignCount: number): CheckResult {
  const name = 'same database';
  return foreignCount === 0
    ? createPassedResult(name, 'The current database has all donations in the backup.')
    : createWarningResult(
        name,
        `The current database lacks ${foreignCount} donations in the backup. Check that the ` +
          'backup is from this database.',
      );
}

function checkLostDonations(backup: DatabaseSync): CheckResult {
  const name = 'lost donations';
  const counts = backup
    .prepare(
      `SELECT status, count(*) AS count ${missingRows('donations', 'reference', 'current', 'main')}
       GROUP BY status ORDER BY status`,
    )
    .all() as { readonly status: string; readonly count: number }[];
  if (counts.length === 0) return createPassedResult(name, 'None.');
  const list = counts.map(({ status, count }) => `${count} ${status}`).join(', ');
  return createWarningResult(
    name,
    `The database would lose the donations made since the backup: ${list}. The payment provider ` +
      'and the platform retain their records. Export these donations first: donation-form donations export.',
  );
}

function checkLaterEvents(count: number, madeAt: string | undefined): CheckResult {
  const name = 'later events';
  if (count === 0) return createPassedResult(name, 'None.');
  const from = madeAt === undefined ? '<day before the backup>' : formatDayBefore(madeAt);
  const to = new Date().toISOString().slice(0, 10);
  return createWarningResult(
    name,
    `${count} renewals, refunds, disputes, and other changes since the backup would be missing. ` +
      `After the restore, run donation-form reconcile --apply --from ${from} --to ${to}.`,
  );
}

function checkDecisions(count: number): CheckResult {
  const name = 'review decisions';
  return count === 0
    ? createPassedResult(name, 'None were made since the backup.')
    : createWarningResult(
        name,
        `${count} decisions since the backup would be lost. After the restore, make them again, ` +
          'because their donations will need review again.',
      );
}

function checkDeletedDonors(count: number): CheckResult {
  const name = 'deleted donor data';
  return count === 0
    ? createPassedResult(name, 'None was deleted since the backup.')
    : createWarningResult(
        name,
        `The donor data of ${count} donations was deleted since the backup and would be restored. ` +
          'After the restore, delete it again: donation-form donors delete.',
      );
}

function formatDayBefore(iso: string): string {
  return new Date(Date.parse(iso) - DAY).toISOString().slice(0, 10);
}

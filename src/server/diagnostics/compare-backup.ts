import type { DatabaseSync } from 'node:sqlite';
import { formatCount } from '@donation-form/core/i18n';
import { createPassedResult, createWarningResult, type CheckResult } from '../lib/check-result.ts';

const DAY = 86_400_000;

/** Builds the `FROM` clause for rows that one database has and the other lacks, matched by key. */
const missingRows = (table: string, key: string, from: string, other: string): string =>
  `FROM ${from}.${table} AS row WHERE NOT EXISTS (SELECT 1 FROM ${other}.${table} AS same ` +
  `WHERE same.${key} = row.${key})`;

/**
 * Compares a backup with the database that it would replace. A running server can use that database
 * at the same time.
 * @param info values from the `server_info` table of the backup, such as `backup_made_at`.
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
    checkSameDatabase(currentFile, {
      currentCount: count('FROM current.donations'),
      missingCount: count(missingRows('donations', 'reference', 'main', 'current')),
    }),
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

/**
 * @param counts number of donations in the current database, and of those in the backup that the
 *   current database lacks.
 */
function checkSameDatabase(
  currentFile: string,
  counts: { readonly currentCount: number; readonly missingCount: number },
): CheckResult {
  const name = 'same database';
  if (counts.currentCount === 0)
    return createPassedResult(
      name,
      `${currentFile} contains no donations. If it should, check "database" in the configuration.`,
    );
  return counts.missingCount === 0
    ? createPassedResult(name, 'The current database contains every donation in the backup.')
    : createWarningResult(
        name,
        `The current database lacks ${counts.missingCount} of the donations in the backup. Check that the ` +
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
    `A restore would lose the donations made since the backup (${list}). Only the payment ` +
      "provider's and the platform's records of them would remain. To export these donations " +
      'first, run "donation-form donations export".',
  );
}

function checkLaterEvents(count: number, madeAt: string | undefined): CheckResult {
  const name = 'later events';
  if (count === 0) return createPassedResult(name, 'None.');
  const from = madeAt === undefined ? '<day before the backup>' : formatDayBefore(madeAt);
  const to = new Date().toISOString().slice(0, 10);
  return createWarningResult(
    name,
    `A restore would lose ${formatCount(count, 'change')} made since the backup, such as renewals, ` +
      'refunds, and disputes. After the restore, run donation-form reconcile --apply ' +
      `--from ${from} --to ${to}.`,
  );
}

function checkDecisions(count: number): CheckResult {
  const name = 'review decisions';
  return count === 0
    ? createPassedResult(name, 'No decisions have been made since the backup.')
    : createWarningResult(
        name,
        `A restore would lose ${formatCount(count, 'decision')} made since the backup. After the ` +
          'restore, decide again, because the donations will need review again.',
      );
}

function checkDeletedDonors(count: number): CheckResult {
  const name = 'deleted donor data';
  return count === 0
    ? createPassedResult(name, 'No donor data has been deleted since the backup.')
    : createWarningResult(
        name,
        'A restore would bring back donor data that was deleted from ' +
          `${formatCount(count, 'donation')} after the backup. ` +
          'To delete this data again after the restore, run "donation-form donors delete".',
      );
}

function formatDayBefore(iso: string): string {
  return new Date(Date.parse(iso) - DAY).toISOString().slice(0, 10);
}

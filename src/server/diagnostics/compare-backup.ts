import type { DatabaseSync } from 'node:sqlite';
import { formatCount } from '@donation-form/core/i18n';
import { createPassedResult, createWarningResult, type CheckResult } from '../lib/check-result.ts';

const DAY = 86_400_000;

/** Builds the `FROM` clause for rows that one database has and the other lacks, matched by key. */
const missingRows = (table: string, key: string, from: string, other: string): string =>
  `FROM ${from}.${table} AS row WHERE NOT EXISTS (SELECT 1 FROM ${other}.${table} AS same ` +
  `WHERE same.${key} = row.${key})`;

/** Compares a backup with the database that it would replace, which may be in use. */
export function compareWithCurrentDatabase(
  backup: DatabaseSync,
  currentFile: string,
  info: ReadonlyMap<string, string>,
): CheckResult[] {
  backup.prepare('ATTACH DATABASE ? AS current').run(currentFile);
  const count = (query: string): number =>
    (backup.prepare(`SELECT count(*) AS count ${query}`).get() as { readonly count: number }).count;
  const currentCount = count('FROM current.donations');
  const missingCount = count(missingRows('donations', 'reference', 'main', 'current'));
  const lost = backup
    .prepare(
      `SELECT status, count(*) AS count ${missingRows('donations', 'reference', 'current', 'main')}
       GROUP BY status ORDER BY status`,
    )
    .all() as { readonly status: string; readonly count: number }[];
  const lostList = lost.map((group) => `${group.count} ${group.status}`).join(', ');
  const laterCount = count(
    `${missingRows('outbox', 'id', 'current', 'main')} AND row.kind <> 'donation'`,
  );
  const madeAt = info.get('backup_made_at');
  const from = madeAt === undefined ? '<day before the backup>' : formatDayBefore(madeAt);
  const to = new Date().toISOString().slice(0, 10);
  const decisionCount = count(missingRows('review_decisions', 'id', 'current', 'main'));
  const deletedCount = count(
    'FROM current.donations AS row JOIN main.donations AS same USING (reference) ' +
      'WHERE row.donor_deleted_at IS NOT NULL AND same.donor_deleted_at IS NULL',
  );
  backup.exec('DETACH DATABASE current');
  return [
    currentCount === 0
      ? createPassedResult(
          'same database',
          `${currentFile} contains no donations. If it should, check "database" in the configuration.`,
        )
      : createResult(
          'same database',
          missingCount,
          'The current database contains every donation in the backup.',
          `The current database lacks ${missingCount} of the donations in the backup. Check that the ` +
            'backup is from this database.',
        ),
    createResult(
      'lost donations',
      lost.length,
      'None.',
      `A restore would lose the donations made since the backup (${lostList}). Only the payment ` +
        "provider's and the platform's records of them would remain. To export these donations " +
        'first, run "donation-form donations export".',
    ),
    createResult(
      'later events',
      laterCount,
      'None.',
      `A restore would lose ${formatCount(laterCount, 'change')} made since the backup, such as renewals, ` +
        'refunds, and disputes. After the restore, run donation-form reconcile --apply ' +
        `--from ${from} --to ${to}.`,
    ),
    createResult(
      'review decisions',
      decisionCount,
      'No decisions have been made since the backup.',
      `A restore would lose ${formatCount(decisionCount, 'decision')} made since the backup. After the ` +
        'restore, decide again, because the donations will need review again.',
    ),
    createResult(
      'deleted donor data',
      deletedCount,
      'No donor data has been deleted since the backup.',
      'A restore would bring back donor data that was deleted from ' +
        `${formatCount(deletedCount, 'donation')} after the backup. ` +
        'To delete this data again after the restore, run "donation-form donors delete".',
    ),
  ];
}

function createResult(name: string, count: number, passed: string, warning: string): CheckResult {
  return count === 0 ? createPassedResult(name, passed) : createWarningResult(name, warning);
}

function formatDayBefore(iso: string): string {
  return new Date(Date.parse(iso) - DAY).toISOString().slice(0, 10);
}

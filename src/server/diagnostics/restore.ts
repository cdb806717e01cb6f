import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { formatCount } from '@donation-form/core/i18n';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import { type CheckResult, createCheck } from '../lib/check-result.ts';
import { readPackageVersion } from '../lib/package-file.ts';
import {
  type DatabaseState,
  describePendingMigrations,
  readSqliteState,
} from './database-state.ts';
import { isDatabaseInUse } from './sqlite.ts';
import { checkVersion } from './upgrade.ts';

const UNMARKED_QUERY = `SELECT count(*) AS count FROM donations WHERE restored_at IS NULL
  AND (status IN ('unconfirmed', 'requires_action', 'processing', 'needs_review')
    OR subscription_id IS NOT NULL)`;

/**
 * Checks a copy made by `donation-form backup`, and reports the data that a restore would lose.
 * Changes nothing. Fails if the copy is not safe to restore, and warns if a restore would lose data
 * or require a reconciliation.
 * @throws {Error} if the file cannot be opened.
 *
 * @example
 * ```ts
 * import { loadConfiguration, runRestoreChecks } from 'donation-form-server';
 *
 * const configuration = await loadConfiguration('donation-form.config.json');
 * for (const { name, status, message } of runRestoreChecks('backup.db', configuration))
 *   if (status !== 'pass') console.error(`${name}: ${message}`);
 * ```
 */
export function runRestoreChecks(file: string, configuration: LoadedConfiguration): CheckResult[] {
  if (!existsSync(file)) throw new Error(`${file} does not exist. Specify a backup file.`);
  const backup = new DatabaseSync(file, { readOnly: true });
  try {
    const state = readSqliteState(backup);
    if (state.appliedMigrations.length === 0)
      return [
        createCheck('backup').fail(`${file} is not a donation database. Specify a backup file.`),
      ];
    return [
      checkIntegrity(file, backup, state),
      checkBackupVersion(state),
      checkContents(backup),
      checkMarks(backup),
      checkOrganizations(backup, configuration),
      checkTarget(configuration.database),
      ...(existsSync(configuration.database)
        ? compareWithCurrentDatabase(backup, configuration.database, state.info)
        : []),
    ];
  } catch (error) {
    return [
      createCheck('backup').fail(
        `Cannot read ${file} (${(error as Error).message}). Use another backup.`,
      ),
    ];
  } finally {
    backup.close();
  }
}

function checkIntegrity(file: string, backup: DatabaseSync, { info }: DatabaseState): CheckResult {
  const check = createCheck('backup');
  const { integrity_check: problem } = backup.prepare('PRAGMA integrity_check(1)').get() as {
    readonly integrity_check: string;
  };
  if (problem !== 'ok') return check.fail(`${file} is damaged (${problem}). Use another backup.`);
  if (existsSync(`${file}-wal`))
    return check.fail(
      `${file}-wal exists, so this copy was not made with "donation-form backup" and may lack ` +
        'donations. Use another backup.',
    );
  const madeAt = info.get('backup_made_at');
  return check.pass(
    madeAt === undefined
      ? `${file} is undamaged. Its date is unknown.`
      : `${file} is undamaged and was made on ${madeAt.slice(0, 16).replace('T', ' ')} UTC.`,
  );
}

function checkBackupVersion(state: DatabaseState): CheckResult {
  const result = checkVersion(state, readPackageVersion());
  return result.status === 'pass'
    ? { ...result, message: result.message + describePendingMigrations(state) }
    : createCheck(result.name).fail(result.message);
}

function checkContents(backup: DatabaseSync): CheckResult {
  const counts = backup
    .prepare('SELECT status, count(*) AS count FROM donations GROUP BY status ORDER BY status')
    .all() as { readonly status: string; readonly count: number }[];
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const list = counts.map(({ status, count }) => `${count} ${status}`).join(', ');
  return createCheck('donations').pass(list === '' ? 'None.' : `${total}: ${list}.`);
}

/** The server looks up marked donations before it records them, to avoid duplicates. */
function checkMarks(backup: DatabaseSync): CheckResult {
  const check = createCheck('marks');
  const { count } = backup.prepare(UNMARKED_QUERY).get() as { readonly count: number };
  return count === 0
    ? check.pass(
        'Before recording unfinished or recurring donations, the server will look them up on the ' +
          'platform.',
      )
    : check.fail(
        `${formatCount(count, 'unfinished or recurring donation')} ` +
          `${count === 1 ? 'is' : 'are'} not marked as restored, so the server could record ` +
          'duplicates. Use a copy made by donation-form backup.',
      );
}

function checkOrganizations(
  backup: DatabaseSync,
  { organizations }: LoadedConfiguration,
): CheckResult {
  const check = createCheck('organizations');
  const ids = organizations.map(({ id }) => id);
  const unknownIds = backup
    .prepare('SELECT DISTINCT organization FROM donations')
    .all()
    .map(({ organization }) => String(organization))
    .filter((id) => !ids.includes(id));
  return unknownIds.length === 0
    ? check.pass('The configuration contains all organizations in the backup.')
    : check.warn(
        `The backup contains organizations that the configuration lacks: ${unknownIds.join(', ')}. Until you ` +
          'add these organizations, no server will process their donations.',
      );
}

function checkTarget(file: string): CheckResult {
  const check = createCheck('database');
  if (!existsSync(file))
    return check.pass(`${file} does not exist, so a restore would replace nothing.`);
  return check.pass(
    isDatabaseInUse(file)
      ? `A server is using ${file}. Stop the server before you replace the file and delete ` +
          `${file}-wal and ${file}-shm.`
      : `No server is using ${file}. When you replace the file, also delete ${file}-wal and ${file}-shm.`,
  );
}

const DAY = 86_400_000;

/** Builds the `FROM` clause for rows that one database has and the other lacks, matched by key. */
const missingRows = (table: string, key: string, from: string, other: string): string =>
  `FROM ${from}.${table} AS row WHERE NOT EXISTS (SELECT 1 FROM ${other}.${table} AS same ` +
  `WHERE same.${key} = row.${key})`;

/** Compares a backup with the database that it would replace, which may be in use. */
function compareWithCurrentDatabase(
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
  const from =
    laterCount === 0 || madeAt === undefined
      ? '<day before the backup>'
      : new Date(Date.parse(madeAt) - DAY).toISOString().slice(0, 10);
  const to = new Date().toISOString().slice(0, 10);
  const decisionCount = count(missingRows('review_decisions', 'id', 'current', 'main'));
  const deletedCount = count(
    'FROM current.donations AS row JOIN main.donations AS same USING (reference) ' +
      'WHERE row.donor_deleted_at IS NOT NULL AND same.donor_deleted_at IS NULL',
  );
  backup.exec('DETACH DATABASE current');
  return [
    currentCount === 0
      ? createCheck('same database').pass(
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
  return count === 0 ? createCheck(name).pass(passed) : createCheck(name).warn(warning);
}

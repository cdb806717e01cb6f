import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { formatCount } from '@donation-form/core/i18n';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import {
  createFailedResult,
  createPassedResult,
  createWarningResult,
  type CheckResult,
} from '../lib/check-result.ts';
import { readPackageVersion } from '../lib/package-file.ts';
import { compareWithCurrentDatabase } from './compare-backup.ts';
import {
  describePendingMigrations,
  readSqliteState,
  type DatabaseState,
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
        createFailedResult('backup', `${file} is not a donation database. Specify a backup file.`),
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
      createFailedResult(
        'backup',
        `Cannot read ${file} (${(error as Error).message}). Use another backup.`,
      ),
    ];
  } finally {
    backup.close();
  }
}

function checkIntegrity(file: string, backup: DatabaseSync, { info }: DatabaseState): CheckResult {
  const name = 'backup';
  const { integrity_check: problem } = backup.prepare('PRAGMA integrity_check(1)').get() as {
    readonly integrity_check: string;
  };
  if (problem !== 'ok')
    return createFailedResult(name, `${file} is damaged (${problem}). Use another backup.`);
  if (existsSync(`${file}-wal`))
    return createFailedResult(
      name,
      `${file}-wal exists, so this copy was not made with "donation-form backup" and may lack ` +
        'donations. Use another backup.',
    );
  const madeAt = info.get('backup_made_at');
  return createPassedResult(
    name,
    madeAt === undefined
      ? `${file} is undamaged. Its date is unknown.`
      : `${file} is undamaged and was made on ${formatTime(madeAt)}.`,
  );
}

function checkBackupVersion(state: DatabaseState): CheckResult {
  const result = checkVersion(state, readPackageVersion());
  return result.status === 'pass'
    ? { ...result, message: result.message + describePendingMigrations(state) }
    : createFailedResult(result.name, result.message);
}

function checkContents(backup: DatabaseSync): CheckResult {
  const counts = backup
    .prepare('SELECT status, count(*) AS count FROM donations GROUP BY status ORDER BY status')
    .all() as { readonly status: string; readonly count: number }[];
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const list = counts.map(({ status, count }) => `${count} ${status}`).join(', ');
  return createPassedResult('donations', list === '' ? 'None.' : `${total}: ${list}.`);
}

/** The server looks up marked donations before it records them, to avoid duplicates. */
function checkMarks(backup: DatabaseSync): CheckResult {
  const name = 'marks';
  const { count } = backup.prepare(UNMARKED_QUERY).get() as { readonly count: number };
  return count === 0
    ? createPassedResult(
        name,
        'Before recording unfinished or recurring donations, the server will look them up on the ' +
          'platform.',
      )
    : createFailedResult(
        name,
        `${formatCount(count, 'unfinished or recurring donation')} ` +
          `${count === 1 ? 'is' : 'are'} not marked as restored, so the server could record ` +
          'duplicates. Use a copy made by donation-form backup.',
      );
}

function checkOrganizations(
  backup: DatabaseSync,
  { organizations }: LoadedConfiguration,
): CheckResult {
  const name = 'organizations';
  const ids = organizations.map(({ id }) => id);
  const unknownIds = backup
    .prepare('SELECT DISTINCT organization FROM donations')
    .all()
    .map(({ organization }) => String(organization))
    .filter((id) => !ids.includes(id));
  return unknownIds.length === 0
    ? createPassedResult(name, 'The configuration contains all organizations in the backup.')
    : createWarningResult(
        name,
        `The backup contains organizations that the configuration lacks: ${unknownIds.join(', ')}. Until you ` +
          'add these organizations, no server will process their donations.',
      );
}

function checkTarget(file: string): CheckResult {
  const name = 'database';
  if (!existsSync(file))
    return createPassedResult(name, `${file} does not exist, so a restore would replace nothing.`);
  return createPassedResult(
    name,
    isDatabaseInUse(file)
      ? `A server is using ${file}. Stop the server before you replace the file and delete ` +
          `${file}-wal and ${file}-shm.`
      : `No server is using ${file}. When you replace the file, also delete ${file}-wal and ${file}-shm.`,
  );
}

function formatTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

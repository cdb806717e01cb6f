import type { LoadedConfiguration } from '../config/load-configuration.ts';
import type { Environment } from '../config/read-secrets.ts';
import { type CheckResult, createCheck } from '../lib/check-result.ts';
import { readPackageVersion } from '../lib/package-file.ts';
import {
  type DatabaseState,
  listPendingMigrations,
  listUnknownMigrations,
  readDatabaseState,
} from './database-state.ts';
import { checkConfiguration } from './run-checks.ts';

/**
 * Checks the changes that this release would make at startup, and whether these changes are safe.
 * Changes nothing itself. Warns if a later release used the database.
 *
 * @example
 * ```ts
 * import { loadConfiguration, runUpgradeChecks } from 'donation-form-server';
 *
 * const configuration = await loadConfiguration('donation-form.config.json');
 * const results = await runUpgradeChecks(configuration, process.env);
 * console.log(results.some(({ status }) => status === 'fail')); // false
 * ```
 */
export async function runUpgradeChecks(
  configuration: LoadedConfiguration,
  environment: Environment,
): Promise<CheckResult[]> {
  const configurationResult = checkConfiguration(configuration);
  try {
    const state = await readDatabaseState(configuration.database, environment.DATABASE_URL);
    return [
      configurationResult,
      checkVersion(state, readPackageVersion()),
      checkMigrations(state),
      createCheck('previous release').pass(
        'The previous release can run at the same time as this release, and you can go back to the ' +
          'previous release. Migrations only add data that the previous release ignores.',
      ),
    ];
  } catch (error) {
    return [
      configurationResult,
      createCheck('database').fail(
        `Cannot read the database (${(error as Error).message}). Run donation-form check.`,
      ),
    ];
  }
}

/** Compares this release with the one that last opened the database. */
export function checkVersion(state: DatabaseState, version: string): CheckResult {
  const check = createCheck('version');
  const usedVersion = state.info.get('version');
  const unknownMigrations = listUnknownMigrations(state);
  if (unknownMigrations.length > 0 || (usedVersion && isLater(usedVersion, version)))
    return check.warn(
      `This release is ${version}, but a later release` +
        (usedVersion === undefined ? '' : `, ${usedVersion},`) +
        ' has used the database' +
        (unknownMigrations.length === 0 ? '' : ` (${unknownMigrations.join(', ')})`) +
        '. Install that release, unless you intend to go back one release.',
    );
  if (state.appliedMigrations.length === 0)
    return check.pass(`This release is ${version}. The database is new.`);
  return check.pass(
    `This release is ${version}. The database was last opened by ` +
      `${usedVersion ?? 'a release that did not record its version'}.`,
  );
}

function checkMigrations(state: DatabaseState): CheckResult {
  const pendingMigrations = listPendingMigrations(state);
  return createCheck('migrations').pass(
    pendingMigrations.length === 0
      ? 'None are pending.'
      : `The server will run ${pendingMigrations.join(', ')} when it starts.`,
  );
}

function isLater(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) > 0;
}

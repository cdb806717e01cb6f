import { buildForms } from '../config/validate-configuration.ts';
import { readAdminKey, type Environment } from '../config/read-secrets.ts';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import { redactUrl } from '../database/postgres-url.ts';
import {
  createFailedResult,
  createPassedResult,
  createSkippedResult,
  type CheckResult,
} from '../lib/check-result.ts';
import { createLogger } from '../lib/logger.ts';
import { createAlertChannels } from '../alerts/create-alert-channels.ts';
import { checkAlerts } from './alerts.ts';
import { checkAdmin, checkSameDatabase, fetchReadiness } from './admin.ts';
import { checkOrigins } from './origins.ts';
import { checkPostgres } from './postgres.ts';
import { checkServices } from './services.ts';
import { checkSqlite } from './sqlite.ts';

export interface CheckOptions {
  readonly configuration: LoadedConfiguration;
  readonly environment: Environment;
}

/**
 * Checks everything that a server with this configuration needs. Changes nothing and accepts no
 * donations.
 *
 * @example
 * ```ts
 * import { loadConfiguration, runChecks } from 'donation-form-server';
 *
 * const results = await runChecks({
 *   configuration: await loadConfiguration('donation-form.config.json'),
 *   environment: process.env,
 * });
 * for (const { name, status, message } of results)
 *   if (status === 'fail') console.error(`${name}: ${message}`);
 * ```
 */
export async function runChecks({
  configuration,
  environment,
}: CheckOptions): Promise<CheckResult[]> {
  const { organizations, admin, database } = configuration;
  const readiness = await fetchReadiness(admin);
  const configurationResult = checkConfiguration(configuration);
  const results = await Promise.all([
    catchFailure('log', () => {
      createLogger(environment.LOG_LEVEL, undefined, environment.LOG_FORMAT);
      return [];
    }),
    environment.DATABASE_URL === undefined
      ? checkSqlite(database, readiness)
      : checkPostgres(environment.DATABASE_URL),
    catchFailure('admin', () =>
      checkAdmin(admin, readAdminKey(configuration, environment), readiness),
    ),
    catchFailure('alerts', () => checkAlerts(createAlertChannels(configuration, environment))),
    ...organizations.map(({ id }, index) =>
      configurationResult.status === 'pass'
        ? checkOrganization(configuration, index, environment)
        : Promise.resolve([
            createSkippedResult(
              `organization ${id}`,
              'Skipped, because the configuration has errors. Fix these errors first.',
            ),
          ]),
    ),
  ]);
  return [
    configurationResult,
    ...checkSameDatabase(getDatabaseLocation(database, environment), readiness),
    ...results.flat(),
  ];
}

/**
 * Returns the database location that `openDatabase` would use. Another check reports invalid URLs.
 */
function getDatabaseLocation(file: string, { DATABASE_URL: url }: Environment): string {
  if (url === undefined) return file;
  try {
    return redactUrl(url);
  } catch {
    return 'no valid database';
  }
}

/** Validates the forms, payments, and templates in a configuration. */
export function checkConfiguration(configuration: LoadedConfiguration): CheckResult {
  const { organizations, file } = configuration;
  const formCount = organizations.reduce((sum, { forms }) => sum + forms.length, 0);
  try {
    buildForms(configuration);
    return createPassedResult(
      'configuration',
      `${file === undefined ? 'Valid' : `${file} is valid`}. Organizations: ` +
        `${organizations.length}. Forms: ${formCount}.`,
    );
  } catch (error) {
    return createFailedResult('configuration', (error as Error).message);
  }
}

function checkOrganization(
  configuration: LoadedConfiguration,
  index: number,
  environment: Environment,
): Promise<readonly CheckResult[]> {
  const { id } = configuration.organizations[index]!;
  return catchFailure(`organization ${id}`, async () => {
    const { organization, results } = await checkServices(configuration, index, environment);
    const { host, port } = configuration.listen;
    const originResults = await checkOrigins(id, organization.origins, [
      `http://${host}:${port}`,
      ...results.flatMap(({ webhookOrigin }) => webhookOrigin ?? []),
    ]);
    return [createPassedResult(`secrets for ${id}`, 'All are set.'), ...results, ...originResults];
  });
}

/** Runs a check. If the check throws, returns a failed result. */
async function catchFailure(
  name: string,
  check: () => readonly CheckResult[] | Promise<readonly CheckResult[]>,
): Promise<readonly CheckResult[]> {
  try {
    return await check();
  } catch (error) {
    return [createFailedResult(name, (error as Error).message)];
  }
}

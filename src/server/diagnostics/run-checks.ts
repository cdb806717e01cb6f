import { createAlertChannels } from '../alerts/create-alert-channels.ts';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import { type Environment, readAdminKey, readIdentityProvider } from '../config/read-secrets.ts';
import { buildForms } from '../config/validate-configuration.ts';
import { redactUrl } from '../database/postgres-url.ts';
import { type CheckResult, createCheck } from '../lib/check-result.ts';
import { getErrorReason } from '../lib/get-error-reason.ts';
import { createLogger } from '../lib/logger.ts';
import { checkAdmin, checkSameDatabase, fetchReadiness } from './admin.ts';
import { checkAlerts } from './alerts.ts';
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
      checkAdmin(
        admin,
        {
          key: readAdminKey(configuration, environment),
          provider: readIdentityProvider(configuration, environment),
        },
        readiness,
      ),
    ),
    catchFailure('alerts', () => checkAlerts(createAlertChannels(configuration, environment))),
    ...organizations.map(({ id }, index) =>
      configurationResult.status === 'pass'
        ? checkOrganization(configuration, index, environment)
        : Promise.resolve([
            createCheck(`organization ${id}`).skip(
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

/** Another check reports invalid URLs. */
function getDatabaseLocation(file: string, { DATABASE_URL: url }: Environment): string {
  if (url === undefined) return file;
  try {
    return redactUrl(url);
  } catch {
    return 'no valid database';
  }
}

export function checkConfiguration(configuration: LoadedConfiguration): CheckResult {
  const { organizations, file } = configuration;
  const formCount = organizations.reduce((sum, { forms }) => sum + forms.length, 0);
  try {
    buildForms(configuration);
    return createCheck('configuration').pass(
      `${file === undefined ? 'Valid' : `${file} is valid`}. Organizations: ` +
        `${organizations.length}. Forms: ${formCount}.`,
    );
  } catch (error) {
    return createCheck('configuration').fail((error as Error).message);
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
    return [createCheck(`secrets for ${id}`).pass('All are set.'), ...results, ...originResults];
  });
}

async function catchFailure(
  name: string,
  check: () => readonly CheckResult[] | Promise<readonly CheckResult[]>,
): Promise<readonly CheckResult[]> {
  try {
    return await check();
  } catch (error) {
    return [createCheck(name).fail((error as Error).message)];
  }
}

const REQUEST_TIMEOUT = 5_000;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|.*\.localhost)$/;

/** @param serverOrigins the listening origin, followed by the public ones, if known. */
async function checkOrigins(
  organization: string,
  origins: Iterable<string>,
  serverOrigins: readonly string[],
): Promise<CheckResult[]> {
  const [, publicOrigin] = serverOrigins;
  const all = [...origins];
  const own = all.filter((origin) => serverOrigins.includes(origin));
  const others = all.filter((origin) => !own.includes(origin));
  // A server under a path of the website has the website's origin.
  if (others.length === 0)
    return [
      createCheck(`origin ${own.join(', ')} for ${organization}`).warn(
        "This is the server's own origin. If the page with the form is on another website, add " +
          "that website's origin.",
      ),
    ];
  return [
    ...(await Promise.all(
      others.map((origin) => checkOrigin(`origin ${origin} for ${organization}`, origin)),
    )),
    createCheck(`no-JavaScript page for ${organization}`).pass(
      own.length > 0
        ? `The page at ${own[0]}/donate accepts donations.`
        : describeMissingOrigin(publicOrigin),
    ),
  ];
}

function describeMissingOrigin(publicOrigin: string | undefined): string {
  return publicOrigin === undefined
    ? 'The /donate page accepts donations if "origins" contains this server\'s public origin.'
    : `The page at ${publicOrigin}/donate accepts no donations. If ${publicOrigin} is the server's ` +
        'public origin, add it to "origins" to turn the page on.';
}

async function checkOrigin(name: string, origin: string): Promise<CheckResult> {
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'http:' && !LOOPBACK_HOST.test(hostname))
    return createCheck(name).fail(
      'The form does not accept donations on a page without HTTPS. Serve the page over HTTPS, ' +
        'and configure the https:// origin.',
    );
  try {
    const { status } = await fetch(origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
    });
    return createCheck(name).pass(`The website responded with status ${status}.`);
  } catch (error) {
    const reason = getErrorReason(error);
    return reason === 'ENOTFOUND'
      ? createCheck(name).fail('This host does not exist. Check the spelling.')
      : createCheck(name).warn(
          `This machine cannot reach the website (${reason}). If a browser can open the page, ignore ` +
            'this warning.',
        );
  }
}

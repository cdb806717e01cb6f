import { ApiQuota } from '../platform/api-quota.ts';
import {
  formsOf,
  openOrganizationAt,
  operatorKey,
  readSecret,
  type Environment,
  type LoadedConfiguration,
  type OpeningOptions,
} from '../config/load-configuration.ts';
import { createLog } from '../lib/logger.ts';
import { openSqlite } from '../database/database.ts';
import { ok, untried, wrong, type Finding } from '../lib/finding.ts';
import { askRunning, checkOperator } from './operator.ts';
import { checkOrigins } from './origins.ts';
import { checkPayments } from './payments.ts';
import { checkPlatform } from './platform.ts';
import { checkDatabase } from './store-database.ts';
import { checkFile } from './store-file.ts';

export interface CheckOptions {
  readonly configuration: LoadedConfiguration;
  readonly environment: Environment;
}

/**
 * Tries everything that a server of this configuration needs. Nothing is changed, and no gift is
 * taken.
 */
export async function checkAll({ configuration, environment }: CheckOptions): Promise<Finding[]> {
  const { organizations, operator, store, file } = configuration;
  const running = await askRunning(operator);
  const forms = organizations.reduce((sum, organization) => sum + organization.forms.length, 0);
  // What the calls here take from the hour is counted nowhere: a running server learns of it by
  // what the platform's next answer says.
  const counted = await openSqlite(':memory:');
  const opening: OpeningOptions = {
    environment,
    budgetOf: ({ id, budget }) =>
      new ApiQuota({ store: counted, organization: id, limit: budget, now: Date.now }),
  };
  try {
    const offered = await attempt('configuration', () => {
      formsOf(configuration);
      return [
        ok(
          'configuration',
          `${file ?? 'as given'}: organisations ${organizations.length}, forms ${forms}`,
        ),
      ];
    });
    return [
      ...offered,
      ...(
        await Promise.all([
          attempt('LOG_LEVEL', () => {
            createLog(environment.LOG_LEVEL);
            return [];
          }),
          environment.DATABASE_URL === undefined
            ? checkFile(store, running)
            : checkDatabase(environment.DATABASE_URL),
          attempt('operator', () =>
            checkOperator(operator, operatorKey(configuration, environment), running),
          ),
          ...organizations.map(({ id }, index) =>
            offered[0]!.state === 'ok'
              ? checkOrganization(configuration, index, opening)
              : [
                  untried(
                    `organisation ${id}`,
                    'its forms cannot be offered before the configuration is right',
                  ),
                ],
          ),
        ])
      ).flat(),
    ];
  } finally {
    await counted.close();
  }
}

function checkOrganization(
  configuration: LoadedConfiguration,
  index: number,
  opening: OpeningOptions,
): Promise<readonly Finding[]> {
  const { id, recorder } = configuration.organizations[index]!;
  return attempt(`organisation ${id}`, async () => {
    const organization = await openOrganizationAt(configuration, index, opening);
    const { host, port } = configuration.listen;
    const [platform, payments] = await Promise.all([
      recorder.kind === 'export'
        ? [ok(`recorder of ${id}`, 'export: there is no platform, the journal is the record')]
        : checkPlatform(
            { id, recorder },
            readSecret(recorder.apiKey, 'recorder.apiKey', opening.environment),
            organization,
          ),
      checkPayments(organization),
    ]);
    const origins = await checkOrigins(id, organization.origins, [
      `http://${host}:${port}`,
      ...payments.flatMap(({ endpoint }) => endpoint ?? []),
    ]);
    return [ok(`secrets of ${id}`, 'all are there'), ...platform, ...payments, ...origins];
  });
}

/** @returns what was found, or what kept it from being tried. */
async function attempt(
  about: string,
  work: () => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    return [wrong(about, (error as Error).message)];
  }
}

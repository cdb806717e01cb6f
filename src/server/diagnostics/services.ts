import { createOrganizationAt } from '../config/create-organizations.ts';
import { readSecret, type Environment } from '../config/read-secrets.ts';
import { buildForms } from '../config/validate-configuration.ts';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import { openSqlite } from '../database/sqlite-database.ts';
import { createPassedResult, type CheckResult } from '../lib/check-result.ts';
import type { Organization } from '../organizations/organization.ts';
import { ApiQuota } from '../platform/api-quota.ts';
import { checkPayments } from './payments.ts';
import { checkPlatform } from './platform.ts';

/** An organization and the check results for its platform and payment providers. */
export interface CheckedServices {
  readonly organization: Organization;
  readonly results: readonly CheckResult[];
}

/**
 * Checks the platform and payment providers of the configured organization at `index`.
 * @throws {ConfigurationError} if a secret is missing or invalid.
 */
export async function checkServices(
  configuration: LoadedConfiguration,
  index: number,
  environment: Environment,
): Promise<CheckedServices> {
  const { id, platform } = configuration.organizations[index]!;
  // Use a temporary database, so these calls do not count toward the servers' shared quota.
  const database = await openSqlite(':memory:');
  try {
    const organization = await createOrganizationAt(configuration, index, {
      forms: buildForms(configuration),
      environment,
      createQuota: ({ apiCallsPerHour: limit }) =>
        new ApiQuota({ database, organization: id, limit, now: Date.now }),
    });
    const results = await Promise.all([
      platform.adapter === 'none'
        ? [
            createPassedResult(
              `platform for ${id}`,
              'No platform is configured. The database is the system of record.',
            ),
          ]
        : checkPlatform({
            organization,
            adapter: platform.adapter,
            baseUrl: platform.baseUrl,
            apiKey: readSecret(platform.apiKey, 'platform.apiKey', environment),
          }),
      checkPayments(organization),
    ]);
    return { organization, results: results.flat() };
  } finally {
    await database.close();
  }
}

import type { Configuration } from '@donation-form/core/schemas';
import { addFileName, ConfigurationError } from '../lib/configuration-error.ts';
import { buildLocalizedForm } from '../organizations/form-definitions.ts';
import type { LocalizedForm } from '../organizations/organization.ts';
import { assertReceiptsAreValid } from '../organizations/receipt-settings.ts';
import { assertPaymentsAreValid } from '../payments/payment-providers.ts';
import { assertPlatformIsValid } from '../platform/platforms.ts';
import type { LoadedConfiguration } from './load-configuration.ts';

/** @throws {ConfigurationError} if a value is invalid or an ID is not unique. */
export function buildForms(configuration: LoadedConfiguration): LocalizedForm[][] {
  const { organizations, listen, admin } = configuration;
  try {
    organizations.forEach((organization, at) => {
      assertPaymentsAreValid(organization, `organizations.${at}`);
      assertPlatformIsValid(organization, `organizations.${at}`);
      assertReceiptsAreValid(organization, `organizations.${at}`);
    });
    assertIdsAreUnique(configuration, 'forms');
    assertIdsAreUnique(configuration, 'goals');
    if (admin && admin.port === listen.port && listen.port !== 0)
      throw new ConfigurationError(
        `admin.port: found ${admin.port}, which is also listen.port; expected another port`,
        { paths: ['admin.port'] },
      );
    return organizations.map((organization, at) =>
      organization.forms.map((form, index) =>
        buildLocalizedForm(organization, form, `organizations.${at}.forms.${index}`),
      ),
    );
  } catch (error) {
    throw addFileName(error, configuration.file);
  }
}

/** @throws {ConfigurationError} with all paths of the first duplicate ID. */
function assertIdsAreUnique({ organizations }: Configuration, kind: 'forms' | 'goals'): void {
  const entries = organizations.flatMap((organization, at) =>
    organization[kind].map(({ id }, index) => ({
      id,
      path: `organizations.${at}.${kind}.${index}.id`,
    })),
  );
  for (const [id, same] of Map.groupBy(entries, (entry) => entry.id)) {
    const paths = same.map(({ path }) => path);
    if (paths.length > 1)
      throw new ConfigurationError(
        `${paths[1]}: found the ID ${JSON.stringify(id)} at ${paths.join(' and ')}; ` +
          `expected an ID that is unique across the ${kind} of all organizations`,
        { paths },
      );
  }
}

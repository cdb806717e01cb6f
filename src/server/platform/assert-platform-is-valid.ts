import type { OrganizationConfiguration } from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';

/**
 * Checks that the platform can record the gifts of an organization's forms.
 * @param at the organization's path in the configuration file.
 * @throws {ConfigurationError} if it cannot.
 */
export function assertPlatformIsValid(
  { platform, forms }: OrganizationConfiguration,
  at: string,
): void {
  if (platform.adapter === 'virtuous-crm')
    forms.forEach(({ projects }, form) =>
      projects.forEach(({ code }, project) => {
        if (code === undefined)
          throw new ConfigurationError(
            `${at}.forms.${form}.projects.${project}.code: found nothing, expected the code of a project in Virtuous, because ${at}.platform is virtuous-crm, which designates gifts by project code. Add the code`,
          );
      }),
    );
}

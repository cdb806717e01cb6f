import type { OrganizationConfiguration } from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { GIFT_NAMES, findUnknownPlaceholders } from './body-template.ts';

/**
 * Checks that the platform can record the gifts of an organization's forms.
 * @param at the organization's path in the configuration file.
 * @throws {ConfigurationError} if the platform cannot record these gifts.
 */
export function assertPlatformIsValid(organization: OrganizationConfiguration, at: string): void {
  const { platform, forms, payments } = organization;
  const own = payments.findIndex(({ provider }) => provider === 'platform');
  if (platform.adapter === 'virtuous-raise') assertPlatformCanCharge(organization, at);
  else if (own >= 0)
    throw new ConfigurationError(
      `${at}.payments.${own}.provider: found "platform", but the ${platform.adapter} ` +
        'adapter cannot charge donors. Choose stripe, paypal, offline, or module, or use the ' +
        'virtuous-raise adapter',
    );
  if (platform.adapter === 'virtuous-crm')
    forms.forEach(({ projects }, form) =>
      projects.forEach(({ code }, project) => {
        if (code === undefined)
          throw new ConfigurationError(
            `${at}.forms.${form}.projects.${project}.code: found nothing, but the ` +
              "virtuous-crm adapter designates gifts by project code. Copy the project's code " +
              'from Virtuous',
          );
      }),
    );
}

/**
 * Validates a platform that charges and records in one call. The platform must be the only payment
 * provider, and its call must support everything that the forms offer.
 */
function assertPlatformCanCharge(
  { platform, payments, forms }: OrganizationConfiguration,
  at: string,
): void {
  if (platform.adapter !== 'virtuous-raise') return;
  const other = payments.findIndex(({ provider }) => provider !== 'platform');
  if (other >= 0 || payments.length > 1)
    throw new ConfigurationError(
      `${at}.payments.${Math.max(other, 0)}.provider: found ` +
        `${JSON.stringify(payments[Math.max(other, 0)]!.provider)}; expected only "platform", ` +
        'because virtuous-raise records only its own charges. Remove the other payment ' +
        'providers or move them to another organization',
    );
  if (!JSON.stringify(platform.body).includes('{reference}'))
    throw new ConfigurationError(
      `${at}.platform.body: found no {reference}, but the server finds gifts by their ` +
        "reference. Add {reference} to a field that the platform's search covers, such as a comment",
    );
  const [unknown] = findUnknownPlaceholders(platform.body, GIFT_NAMES);
  if (unknown !== undefined)
    throw new ConfigurationError(
      `${at}.platform.body: found {${unknown}}; expected placeholders that start with one of ` +
        `these names: ${GIFT_NAMES.join(', ')}`,
    );
  forms.forEach(({ frequencies, currencies }, form) => {
    const recurring = frequencies.findIndex((frequency) => frequency !== 'once');
    if (recurring >= 0)
      throw new ConfigurationError(
        `${at}.forms.${form}.frequencies.${recurring}: found ` +
          `${JSON.stringify(frequencies[recurring])}; expected only "once", because ` +
          'virtuous-raise has no documented field for recurring donations. Remove this ' +
          'frequency',
      );
    const foreign = currencies.findIndex(({ code }) => code !== platform.currency);
    if (foreign >= 0)
      throw new ConfigurationError(
        `${at}.forms.${form}.currencies.${foreign}.code: found ` +
          `${JSON.stringify(currencies[foreign]!.code)}; expected only ${platform.currency}, ` +
          `the currency in ${at}.platform. Remove the other currency`,
      );
  });
}

import type { OrganizationConfiguration } from '@donation-form/core/schemas';
import { PaymentProviderType } from '@donation-form/platform-clients/fundraising';
import { addFileName } from '../lib/configuration-error.ts';
import { createGoals } from '../organizations/goal.ts';
import { createMailSettings } from '../organizations/mail-settings.ts';
import type { LocalizedForm, Organization } from '../organizations/organization.ts';
import { createWebhookEndpoints } from '../organizations/outbound-webhook-endpoint.ts';
import { createWebhookSources } from '../organizations/webhook-source.ts';
import type { SecretReader } from '../payments/payment-provider.ts';
import { getPaymentProvider, getProviderName } from '../payments/payment-providers.ts';
import type { ApiQuota } from '../platform/api-quota.ts';
import { connectToPlatform } from '../platform/platforms.ts';
import type { LoadedConfiguration } from './load-configuration.ts';
import { type Environment, readSecret } from './read-secrets.ts';

export interface OrganizationOptions {
  readonly forms: readonly (readonly LocalizedForm[])[];
  readonly environment: Environment;
  readonly createQuota: (organization: OrganizationConfiguration) => ApiQuota;
  /** Makes the calls to the platforms. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** @throws {ConfigurationError} if the configuration or a secret is invalid. */
export async function createOrganizations(
  configuration: LoadedConfiguration,
  options: OrganizationOptions,
): Promise<Organization[]> {
  return Promise.all(
    configuration.organizations.map((_organization, index) =>
      createOrganizationAt(configuration, index, options),
    ),
  );
}

/** @throws {ConfigurationError} if the configuration or a secret is invalid. */
export async function createOrganizationAt(
  { organizations, file }: LoadedConfiguration,
  index: number,
  { forms, environment, createQuota, fetch }: OrganizationOptions,
): Promise<Organization> {
  try {
    const organization = organizations[index]!;
    const { id, origins, payments, platform, inboundWebhooks, webhooks } = organization;
    const at = `organizations.${index}`;
    const readSecretAt: SecretReader = (name, place) =>
      readSecret(name, `${at}.${place}`, environment);
    const quota = createQuota(organization);
    const { gateway: platformGateway, ...adapters } = connectToPlatform(
      organization,
      readSecretAt,
      quota,
      fetch,
    );
    const goals = createGoals(organization, at);
    const paymentOptions = payments.map(async (payment, position) => {
      const option = await getPaymentProvider(payment).createOption(payment, {
        readSecret: readSecretAt,
        organization: at,
        place: `payments.${position}`,
        platformGateway,
      });
      const type = 'platformProviderType' in payment ? payment.platformProviderType : undefined;
      return [
        getProviderName(payment),
        type ? { ...option, providerType: PaymentProviderType[type] } : option,
      ] as const;
    });
    return {
      id,
      origins: new Set(origins),
      forms: forms[index]!,
      goals,
      timeZone: organization.timeZone,
      donorDataDays: organization.retention?.donorDataDays,
      payments: new Map(await Promise.all(paymentOptions)),
      quota,
      ...adapters,
      giftUrl: platform.adapter === 'none' ? undefined : platform.giftUrl,
      webhookSources: await createWebhookSources(inboundWebhooks, readSecretAt, at),
      webhookEndpoints: createWebhookEndpoints(webhooks, readSecretAt, at),
      mail: createMailSettings(organization, readSecretAt, at),
      receipts: organization.receipts,
    };
  } catch (error) {
    throw addFileName(error, file);
  }
}

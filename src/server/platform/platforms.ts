import type { OrganizationConfiguration } from '@donation-form/core/schemas';
import { FundraisingClient } from '@donation-form/platform-clients/fundraising';
import { ConfigurationError } from '../lib/configuration-error.ts';
import type { SecretReader } from '../payments/payment-provider.ts';
import { virtuousRaise } from '../payments/virtuous-raise/virtuous-raise.ts';
import type { ApiQuota, CallPurpose } from './api-quota.ts';
import { httpPlatform } from './http.ts';
import type {
  AdapterName,
  Platform,
  PlatformConfigurationOf,
  PlatformConnections,
} from './platform.ts';
import type { PlatformAdapter } from './platform-adapter.ts';
import { sandboxPlatform } from './sandbox.ts';
import { virtuousCrm } from './virtuous-crm.ts';

const PLATFORMS: { readonly [Name in AdapterName]: Platform<PlatformConfigurationOf<Name>> } = {
  none: { connect: connectToNothing },
  http: httpPlatform,
  sandbox: sandboxPlatform,
  'virtuous-crm': virtuousCrm,
  'virtuous-raise': virtuousRaise,
};

const getPlatform = (name: AdapterName) =>
  PLATFORMS[name] as Platform<OrganizationConfiguration['platform']>;

/** @throws {ConfigurationError} if the platform cannot record the forms' gifts. */
export function assertPlatformIsValid(organization: OrganizationConfiguration, at: string): void {
  const { adapter } = organization.platform;
  const platform = getPlatform(adapter);
  const own = organization.payments.findIndex(({ provider }) => provider === 'platform');
  if (own >= 0 && !platform.chargesDonors)
    throw new ConfigurationError(
      `${at}.payments.${own}.provider: found "platform", but the ${adapter} ` +
        'adapter cannot charge donors. Choose stripe, paypal, offline, or module, or use the ' +
        'virtuous-raise adapter',
    );
  platform.assertValid?.(organization.platform, organization, at);
}

/** @throws {ConfigurationError} if the API key is missing or invalid. */
export function connectToPlatform(
  organization: OrganizationConfiguration,
  readSecret: SecretReader,
  quota: ApiQuota,
  fetch: typeof globalThis.fetch | undefined,
): PlatformConnections {
  const { platform } = organization;
  if (platform.adapter === 'none') return connectToNothing();
  const { baseUrl } = platform;
  const apiKey = readSecret(platform.apiKey, 'platform.apiKey');
  const createClient = (purpose: CallPurpose): FundraisingClient =>
    new FundraisingClient({ baseUrl, apiKey, fetch: quota.createCountingFetch(purpose, fetch) });
  return getPlatform(platform.adapter).connect(platform, createClient, organization);
}

function connectToNothing(): PlatformConnections {
  return { platform: createNoPlatformAdapter(), reader: createNoPlatformAdapter() };
}

export function createNoPlatformAdapter(): PlatformAdapter {
  return {
    isNone: true,
    createGift: () => Promise.reject(new Error('no platform is configured')),
  };
}

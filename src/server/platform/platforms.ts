import type { OrganizationConfiguration, SecretName } from '@donation-form/core/schemas';
import { FundraisingClient } from '@donation-form/platform-clients/fundraising';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { virtuousRaise } from '../payments/virtuous-raise/virtuous-raise.ts';
import type { ApiQuota, CallPurpose } from './api-quota.ts';
import { httpPlatform } from './http.ts';
import { noPlatform } from './no-platform.ts';
import type {
  Platform,
  PlatformConfigurationOf,
  PlatformConnections,
  AdapterName,
} from './platform.ts';
import { sandboxPlatform } from './sandbox.ts';
import { virtuousCrm } from './virtuous-crm.ts';

/** All platforms, keyed by their name in the configuration. */
const PLATFORMS: { readonly [Name in AdapterName]: Platform<PlatformConfigurationOf<Name>> } = {
  none: noPlatform,
  http: httpPlatform,
  sandbox: sandboxPlatform,
  'virtuous-crm': virtuousCrm,
  'virtuous-raise': virtuousRaise,
};

const getPlatform = (name: AdapterName) =>
  PLATFORMS[name] as Platform<OrganizationConfiguration['platform']>;

/**
 * Checks that the platform can record the gifts of an organization's forms.
 * @param at the organization's path in the configuration file.
 * @throws {ConfigurationError} if the platform cannot record these gifts.
 */
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

/**
 * Connects to an organization's platform.
 * @throws {ConfigurationError} if the API key is missing or invalid.
 */
export function connectToPlatform(
  organization: OrganizationConfiguration,
  {
    readSecret,
    quota,
    fetch,
  }: {
    /** Reads the secret at a path within the organization. */
    readonly readSecret: (name: SecretName, place: string) => string;
    readonly quota: ApiQuota;
    readonly fetch: typeof globalThis.fetch | undefined;
  },
): PlatformConnections {
  const { platform } = organization;
  if (platform.adapter === 'none') return noPlatform.connect();
  const { baseUrl } = platform;
  const apiKey = readSecret(platform.apiKey, 'platform.apiKey');
  const createClient = (purpose: CallPurpose): FundraisingClient =>
    new FundraisingClient({ baseUrl, apiKey, fetch: quota.createCountingFetch(purpose, fetch) });
  return getPlatform(platform.adapter).connect(platform, createClient, organization);
}

import type { OrganizationConfiguration } from '@donation-form/core/schemas';
import type { FundraisingClient } from '@donation-form/platform-clients/fundraising';
import type { PaymentGateway } from '../payments/payment-gateway.ts';
import type { CallPurpose } from './api-quota.ts';
import type { PlatformAdapter, PlatformReader } from './platform-adapter.ts';

type PlatformConfiguration = OrganizationConfiguration['platform'];
export type AdapterName = PlatformConfiguration['adapter'];
/** The configuration of one platform. */
export type PlatformConfigurationOf<Name extends AdapterName> = Extract<
  PlatformConfiguration,
  { adapter: Name }
>;

/** Connections to an organization's platform. */
export interface PlatformConnections {
  readonly platform: PlatformAdapter;
  /**
   * Adapter for the same platform, used for reports. The adapter's calls leave part of the quota
   * for gifts.
   */
  readonly reader: PlatformReader;
  /** Gateway of a platform that charges donors itself. */
  readonly gateway?: PaymentGateway;
}

/** A fundraising platform that the configuration can name. */
export interface Platform<Configuration extends PlatformConfiguration> {
  /** True if the platform charges donors itself. */
  readonly chargesDonors?: boolean;
  /**
   * Checks that the platform can record the gifts of an organization's forms.
   * @param at the organization's path in the configuration.
   * @throws {ConfigurationError} if the platform cannot record these gifts.
   */
  assertValid?(
    configuration: Configuration,
    organization: OrganizationConfiguration,
    at: string,
  ): void;
  /** @param createClient creates a client whose calls count toward the organization's quota. */
  connect(
    configuration: Configuration,
    createClient: (purpose: CallPurpose) => FundraisingClient,
    organization: OrganizationConfiguration,
  ): PlatformConnections;
}

/** Connects an adapter twice: once to record gifts, and once to read them for reports. */
export function connectAdapter(
  createClient: (purpose: CallPurpose) => FundraisingClient,
  createAdapter: (client: FundraisingClient) => PlatformAdapter,
): PlatformConnections {
  return {
    platform: createAdapter(createClient('gifts')),
    reader: createAdapter(createClient('reading')),
  };
}

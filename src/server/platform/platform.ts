import type { OrganizationConfiguration } from '@donation-form/core/schemas';
import type { FundraisingClient } from '@donation-form/platform-clients/fundraising';
import type { PaymentGateway } from '../payments/payment-gateway.ts';
import type { CallPurpose } from './api-quota.ts';
import type { PlatformAdapter, PlatformReader } from './platform-adapter.ts';

type PlatformConfiguration = OrganizationConfiguration['platform'];
export type AdapterName = PlatformConfiguration['adapter'];
export type PlatformConfigurationOf<Name extends AdapterName> = Extract<
  PlatformConfiguration,
  { adapter: Name }
>;

export interface PlatformConnections {
  readonly platform: PlatformAdapter;
  /** Adapter for reports, whose calls leave part of the quota for gifts. */
  readonly reader: PlatformReader;
  readonly gateway?: PaymentGateway;
}

export interface Platform<Configuration extends PlatformConfiguration> {
  readonly chargesDonors?: boolean;
  /** @throws {ConfigurationError} if the platform cannot record the forms' gifts. */
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

/** Connects an adapter twice: to record gifts, and to read them for reports. */
export function connectAdapter(
  createClient: (purpose: CallPurpose) => FundraisingClient,
  createAdapter: (client: FundraisingClient) => PlatformAdapter,
): PlatformConnections {
  return {
    platform: createAdapter(createClient('gifts')),
    reader: createAdapter(createClient('reading')),
  };
}

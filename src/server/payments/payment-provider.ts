import { PaymentMethodType } from '@donation-form/core/donation';
import type { Language } from '@donation-form/core/i18n';
import type {
  OrganizationConfiguration,
  PaymentConfiguration,
  PaymentOffer,
  SecretName,
} from '@donation-form/core/schemas';
import { PaymentProviderType } from '@donation-form/platform-clients/fundraising';
import type { Localize } from '../lib/localize.ts';
import type { PaymentGateway } from './payment-gateway.ts';

export interface ConfiguredSecret {
  /** Path of the setting in the configuration, such as `admin.key`. */
  readonly place: string;
  readonly name: SecretName;
  /** Purpose of the secret, such as `admin pages and commands`. */
  readonly purpose: string;
  /** Name of the check that tests whether the other server accepts the secret. */
  readonly acceptedBy?: string;
  readonly getMode?: (value: string) => 'test' | 'live';
  /** @throws {ConfigurationError} if the secret is weak or of the wrong kind. */
  readonly assertValid?: (value: string) => void;
}

/** Reads a secret. @param place the secret's path within the organization. */
export type SecretReader = (name: SecretName, place: string) => string;

export interface PaymentOption {
  readonly gateway: PaymentGateway;
  /** True for pledges, which are complete once the server has saved the donation. */
  readonly isPledge?: boolean;
  readonly providerType?: PaymentProviderType | undefined;
  /** Instructions for a pledge, keyed by language. */
  readonly instructions?: Readonly<Record<Language, string>> | undefined;
}

export interface PaymentContext {
  readonly readSecret: SecretReader;
  /** The organization's path in the configuration, such as `organizations.0`. */
  readonly organization: string;
  /** The payment's path within the organization, such as `payments.0`. */
  readonly place: string;
  /** Gateway of the platform, if the platform charges donors itself. */
  readonly platformGateway: PaymentGateway | undefined;
}

export interface PaymentProvider<Configuration extends PaymentConfiguration> {
  /** Label in the form if the configuration has none. */
  readonly defaultLabel?: string;
  isTest(payment: Configuration): boolean;
  /**
   * @throws {ConfigurationError} if the organization's forms or other payments are incompatible.
   */
  assertValid?(payment: Configuration, organization: OrganizationConfiguration, at: string): void;
  /** Builds the provider's part of its entry in a form definition. */
  buildOffer(payment: Configuration, localize: Localize): Omit<PaymentOffer, 'provider' | 'label'>;
  listSecrets?(
    payment: Configuration,
    at: string,
    organizationId: string,
  ): readonly ConfiguredSecret[];
  /** @throws {ConfigurationError} if a secret or another value is invalid. */
  createOption(
    payment: Configuration,
    context: PaymentContext,
  ): PaymentOption | Promise<PaymentOption>;
  /** Returns the accepted decimal places. Default: the currency's own number. */
  getDecimals?(currency: string): number | undefined;
}

export type ConfigurationOf<Name extends PaymentConfiguration['provider']> = Extract<
  PaymentConfiguration,
  { provider: Name }
>;

/** The platform's payment method types, by the configuration's names. */
export const PAYMENT_METHOD_TYPES = {
  card: PaymentMethodType.CreditCard,
  bank: PaymentMethodType.ACH,
  wallet: PaymentMethodType.Wallet,
} as const;

export function findRecurringForm({
  forms,
}: OrganizationConfiguration): OrganizationConfiguration['forms'][number] | undefined {
  return forms.find(({ frequencies }) => frequencies.some((frequency) => frequency !== 'once'));
}

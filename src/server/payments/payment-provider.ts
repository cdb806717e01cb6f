import type { Language } from '@donation-form/core/i18n';
import type {
  OrganizationConfiguration,
  PaymentConfiguration,
  PaymentOffer,
  SecretName,
} from '@donation-form/core/schemas';
import { PaymentMethodType } from '@donation-form/core/donation';
import { PaymentProviderType } from '@donation-form/platform-clients/fundraising';
import type { Localize } from '../lib/localize.ts';
import type { PaymentGateway } from './payment-gateway.ts';

/** A secret that the configuration refers to. */
export interface ConfiguredSecret {
  /** Path of the setting in the configuration, such as `admin.key`. */
  readonly place: string;
  readonly name: SecretName;
  /** Purpose of the secret, such as `admin pages and commands`. */
  readonly purpose: string;
  /**
   * Name of the check that tests whether the other server accepts the secret, if there is such a
   * check.
   */
  readonly acceptedBy?: string;
  /** Returns the secret's payment mode. Omitted if the secret has no mode. */
  readonly getMode?: (value: string) => 'test' | 'live';
  /**
   * Validates the secret.
   * @throws {ConfigurationError} if the secret is weak or of the wrong kind.
   */
  readonly assertValid?: (value: string) => void;
}

/** Reads a secret. @param place the secret's path within the organization. */
export type SecretReader = (name: SecretName, place: string) => string;

/** An organization's payment option. */
export interface PaymentOption {
  readonly gateway: PaymentGateway;
  /**
   * True for pledges, which need no payment provider. A pledge is complete once the server has
   * saved the donation.
   */
  readonly isPledge?: boolean;
  /** Type of the payment provider on the platform. */
  readonly providerType?: PaymentProviderType | undefined;
  /** Payment instructions for a pledge, keyed by language. */
  readonly instructions?: Readonly<Record<Language, string>> | undefined;
}

/** What a provider needs, besides its configuration, to create an organization's gateway. */
export interface PaymentContext {
  readonly readSecret: SecretReader;
  /** The organization's path in the configuration, such as `organizations.0`. */
  readonly organization: string;
  /** The payment's path within the organization, such as `payments.0`. */
  readonly place: string;
  /** Gateway of the platform, if the platform charges donors itself. */
  readonly platformGateway: PaymentGateway | undefined;
}

/** A payment provider that the configuration can name. */
export interface PaymentProvider<Configuration extends PaymentConfiguration> {
  /** Label in the form if the configuration has none. */
  readonly defaultLabel?: string;
  /** Returns true if the payment moves no money. */
  isTest(payment: Configuration): boolean;
  /**
   * Checks that the payment is compatible with the organization's forms and other payments.
   * @param at the payment's path in the configuration.
   * @throws {ConfigurationError} if the payment is incompatible.
   */
  assertValid?(payment: Configuration, organization: OrganizationConfiguration, at: string): void;
  /** Builds the provider's entry in a form definition, without the fields of every provider. */
  buildOffer(payment: Configuration, localize: Localize): Omit<PaymentOffer, 'provider' | 'label'>;
  /** Lists the secrets that the payment's configuration refers to. */
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
  /**
   * Returns the number of decimal places that the provider accepts for a currency, or `undefined`
   * for an unknown currency. Default: the currency's own number.
   */
  getDecimals?(currency: string): number | undefined;
}

/** The configuration of a payment through one provider. */
export type ConfigurationOf<Name extends PaymentConfiguration['provider']> = Extract<
  PaymentConfiguration,
  { provider: Name }
>;

/** The platform's payment method types, keyed by the configuration's names for payment methods. */
export const PAYMENT_METHOD_TYPES = {
  card: PaymentMethodType.CreditCard,
  bank: PaymentMethodType.ACH,
  wallet: PaymentMethodType.Wallet,
} as const;

export function toProviderTypeField({
  platformProviderType,
}: {
  readonly platformProviderType?: keyof typeof PaymentProviderType | undefined;
}): Pick<PaymentOption, 'providerType'> {
  return platformProviderType === undefined
    ? {}
    : { providerType: PaymentProviderType[platformProviderType] };
}

/** Finds the first form that offers recurring donations. */
export function findRecurringForm({
  forms,
}: OrganizationConfiguration): OrganizationConfiguration['forms'][number] | undefined {
  return forms.find(({ frequencies }) => frequencies.some((frequency) => frequency !== 'once'));
}

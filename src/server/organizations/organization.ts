import type { FormDefinition } from '@donation-form/core/schemas';
import type { Language } from '@donation-form/core/i18n';
import type { PaymentProviderType } from '@donation-form/platform-clients/fundraising';
import type { ApiQuota } from '../platform/api-quota.ts';
import type { Goal } from './goal.ts';
import type { PaymentGateway } from '../payments/payment-gateway.ts';
import type { PlatformSource } from './webhook-source.ts';
import type { PublicBody } from '../lib/cached-response.ts';
import type { PlatformAdapter, PlatformReader } from '../platform/platform-adapter.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/**
 * A form as it is offered now in one language, and as it is sent: what a donor saw is told by the
 * tag.
 */
export interface LocalizedDefinition extends PublicBody {
  readonly definition: FormDefinition;
}

export type LocalizedForm = Readonly<Record<Language, LocalizedDefinition>>;

/** One way to pay of an organisation. */
export interface PaymentOption {
  readonly gateway: PaymentGateway;
  /** No processor is asked: the gift is promised as soon as it is kept. */
  readonly isPledge?: boolean;
  /** What the platform calls the processor. */
  readonly providerType?: PaymentProviderType | undefined;
  /** What a donor who promised a gift has to do, by language. */
  readonly instructions?: Readonly<Record<Language, string>> | undefined;
}

/** One charity of this server, with its secrets resolved into what uses them. */
export interface Organization {
  readonly id: string;
  /** The origins of the pages that may show its forms. */
  readonly origins: ReadonlySet<string>;
  readonly forms: readonly LocalizedForm[];
  readonly goals: readonly Goal[];
  /** By the provider's name. */
  readonly payments: ReadonlyMap<string, PaymentOption>;
  readonly recorder: PlatformAdapter;
  /** The same platform for reports: their calls leave some of the hour's for gifts. */
  readonly reader: PlatformReader;
  /** The calls that its platform takes. */
  readonly budget: ApiQuota;
  /** Whose webhooks are believed to be the platform's. */
  readonly platformWebhooks?: readonly PlatformSource[];
  /** Addresses of its own server that are told what happens to gifts. */
  readonly webhooks?: readonly WebhookEndpoint[];
  /** IANA: whose days reports and exports go by. */
  readonly timeZone: string;
  /** After how many days what names a donor is deleted; absent: it is kept. */
  readonly donorDataDays?: number | undefined;
}

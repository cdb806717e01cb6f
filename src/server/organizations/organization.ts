import type { FormDefinition } from '@donation-form/core/schemas';
import type { Language } from '@donation-form/core/i18n';
import type { ApiQuota } from '../platform/api-quota.ts';
import type { Goal } from './goal.ts';
import type { PaymentOption } from '../payments/payment-provider.ts';
import type { WebhookSource } from './webhook-source.ts';
import type { PublicBody } from '../lib/public-body.ts';
import type { PlatformAdapter, PlatformReader } from '../platform/platform-adapter.ts';
import type { WebhookEndpoint } from './outbound-webhook-endpoint.ts';

/**
 * A form definition in one language, with its response body. The ETag identifies the version of the
 * form that a donor saw.
 */
export interface LocalizedDefinition extends PublicBody {
  readonly definition: FormDefinition;
}

export type LocalizedForm = Readonly<Record<Language, LocalizedDefinition>>;

/** A configured organization with its payment gateways, platform adapter, and webhooks. */
export interface Organization {
  readonly id: string;
  /** Origins of the pages that may embed the organization's forms. */
  readonly origins: ReadonlySet<string>;
  readonly forms: readonly LocalizedForm[];
  readonly goals: readonly Goal[];
  /** Payment options, keyed by provider name. */
  readonly payments: ReadonlyMap<string, PaymentOption>;
  readonly platform: PlatformAdapter;
  /**
   * Adapter for the same platform, used for reports. The adapter's calls leave part of the quota
   * for gifts.
   */
  readonly reader: PlatformReader;
  /** URL of a gift's page on the platform, with an `{id}` placeholder. */
  readonly giftUrl?: string | undefined;
  /** Quota for calls to the platform. */
  readonly quota: ApiQuota;
  /** Accepted sources of inbound webhooks. */
  readonly webhookSources?: readonly WebhookSource[];
  /** Endpoints that receive outbound webhooks. */
  readonly webhookEndpoints?: readonly WebhookEndpoint[];
  /** IANA time zone for the days in reports and exports. */
  readonly timeZone: string;
  /**
   * Number of days after which the server deletes donor data. If undefined, the server never
   * deletes donor data.
   */
  readonly donorDataDays?: number | undefined;
}

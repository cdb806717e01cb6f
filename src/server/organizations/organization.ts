import type { Language } from '@donation-form/core/i18n';
import type { FormDefinition, ReceiptConfiguration } from '@donation-form/core/schemas';
import type { PublicBody } from '../lib/public-body.ts';
import type { PaymentOption } from '../payments/payment-provider.ts';
import type { ApiQuota } from '../platform/api-quota.ts';
import type { PlatformAdapter, PlatformReader } from '../platform/platform-adapter.ts';
import type { Goal } from './goal.ts';
import type { MailSettings } from './mail-settings.ts';
import type { WebhookEndpoint } from './outbound-webhook-endpoint.ts';
import type { WebhookSource } from './webhook-source.ts';

/** A form definition in one language. The ETag identifies the version that a donor saw. */
export interface LocalizedDefinition extends PublicBody {
  readonly definition: FormDefinition;
}

export type LocalizedForm = Readonly<Record<Language, LocalizedDefinition>>;

export interface Organization {
  readonly id: string;
  readonly origins: ReadonlySet<string>;
  readonly forms: readonly LocalizedForm[];
  readonly goals: readonly Goal[];
  readonly payments: ReadonlyMap<string, PaymentOption>;
  readonly platform: PlatformAdapter;
  /** Adapter for reports, whose calls leave part of the quota for gifts. */
  readonly reader: PlatformReader;
  /** URL of a gift's page on the platform, with an `{id}` placeholder. */
  readonly giftUrl?: string | undefined;
  readonly quota: ApiQuota;
  readonly webhookSources?: readonly WebhookSource[];
  readonly webhookEndpoints?: readonly WebhookEndpoint[];
  /** Undefined if the server sends no mail to the organization's donors. */
  readonly mail?: MailSettings | undefined;
  /** Undefined if the server issues no receipts. Otherwise, `mail` is defined. */
  readonly receipts?: ReceiptConfiguration | undefined;
  readonly timeZone: string;
  /** Days after which the server deletes donor data. If undefined, it never does. */
  readonly donorDataDays?: number | undefined;
}

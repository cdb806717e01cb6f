import type {
  Awaiting,
  DonationStatus,
  FailureReason,
  PaymentMethodType,
  SubscriptionStatus,
} from '@donation-form/core/donation';
import type { ColumnType, Selectable } from 'kysely';
import type {
  DonationRequest,
  FormDefinition,
  ProjectOffer,
  OutboundWebhookEvent,
} from '@donation-form/core/schemas';
import type { IgnoreReason } from '@donation-form/core/settings';
import type { PaymentProviderType } from '@donation-form/platform-clients/fundraising';

/**
 * An accepted donation, with the parts of the form definition that later steps need. The payment
 * token is never stored.
 */
export interface DonationPayload extends Pick<
  DonationRequest,
  'gift' | 'donor' | 'form' | 'customFields' | 'consents' | 'tracking'
> {
  readonly payment: Pick<DonationRequest['payment'], 'provider' | 'method'> & {
    readonly providerType?: PaymentProviderType | undefined;
  };
  /** The organization's name. */
  readonly organization: string;
  readonly receiptSender: FormDefinition['receiptSender'];
  /** Payment instructions for a pledge. */
  readonly instructions?: string | undefined;
  readonly decimals: number;
  /** True for a test donation, which moves no money. */
  readonly isTest: boolean;
  /** Projects that receive the donation, in the order of `gift.projects`. */
  readonly projects: readonly ChosenProject[];
  /** Project that receives the covered fees, if the form specifies one. */
  readonly feeProject?: ChosenProject | undefined;
}

/** A project that receives all or part of the donation, with the name that the donor saw. */
export type ChosenProject = Pick<ProjectOffer, 'id' | 'code' | 'name'>;

/**
 * The platform's ID for a gift, which row-mapper.ts reads from the column for integers or the
 * column for text. `toGiftIdColumns` builds both.
 */
type GiftId = ColumnType<string | null, number | null, number | null>;
type GiftIdText = ColumnType<never, string | null | undefined, string | null>;

/** A database row for one donation. */
export interface DonationRow {
  readonly reference: string;
  /** SHA-256 of the idempotency key, which is never stored. */
  readonly idempotencyKeyHash: string;
  /**
   * Hash of the amounts, donor, custom fields, consents, and form. The server rejects a request
   * with the same idempotency key but a different fingerprint. Empty once the donor's data has been
   * deleted. See request-fingerprint.ts.
   */
  readonly fingerprint: string;
  readonly organization: string;
  readonly status: DonationStatus;
  /** Party whose action the donation is waiting for while its status is `processing`. */
  readonly awaiting: Awaiting | null;
  /** Stored as JSON, which row-mapper.ts parses when a row is read. */
  readonly payload: ColumnType<DonationPayload, string, string>;
  /** The payment provider's ID for the payment, saved before any money moves. */
  readonly paymentId: string | null;
  /** The payment provider's ID for the subscription that renews a recurring donation. */
  readonly subscriptionId: string | null;
  /**
   * Most recent subscription status from the payment provider, or `null` before the first report.
   */
  readonly subscriptionStatus: SubscriptionStatus | null;
  /**
   * The donor's payment method (a `PaymentMethodType`), if the payment provider reports the method.
   */
  readonly paymentMethod: number | null;
  /** Reason why the donation failed. Kept if the failed donation later needs review. */
  readonly failureReason: FailureReason | null;
  /** The platform's ID for the gift. */
  readonly platformGiftId: GiftId;
  readonly platformGiftIdText: GiftIdText;
  readonly attempts: number;
  /** Start time of the most recent charge attempt. */
  readonly chargeStartedAt: number;
  /** Time of the next payment check. */
  readonly nextRunAt: number;
  /**
   * Expiration time of the claim by the server that is handling the donation. Never later than
   * `nextRunAt`.
   */
  readonly lockedUntil: number;
  readonly lastError: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Time at which the donor's data was deleted, or `null` before the deletion. */
  readonly donorDeletedAt: number | null;
  readonly donorDeletedBy: string | null;
  /**
   * Time of the backup from which the donation was restored, or `null`. Set for recurring donations
   * and for donations that were in progress. Because the original database remained in use, the
   * platform may already have this donation and its later renewals. Webhooks add no renewals until
   * `reconcile --apply` has fetched the missing renewals and cleared this column.
   */
  readonly restoredAt: number | null;
}

/** A stored donation with a parsed payload. */
export type Donation = Selectable<DonationRow>;

/**
 * Kind of change to send to the platform. `donation` means that a donation was accepted or charged.
 * All other kinds are later changes to a donation. A renewal has its own reference.
 */
export type OutboxEntryKind =
  | 'donation'
  | 'payment_settled'
  | 'payment_failed'
  | 'refund'
  | 'refund_failed'
  | 'dispute_opened'
  | 'dispute_won'
  | 'dispute_lost'
  | 'renewal'
  | 'renewal_failed'
  | 'subscription_resumed'
  | 'subscription_suspended'
  | 'subscription_canceled';

/**
 * Delivery status of an outbox event. `pending`: the server will send the event; `delivered`: the
 * platform has the event or does not need it; `needs_review`: the platform may have the event, so
 * an admin must decide; `manual`: the server cannot send the event, so an admin must enter it on
 * the platform.
 */
export type OutboxStatus = 'pending' | 'delivered' | 'needs_review' | 'manual';

/**
 * Details of an outbox event. Amounts are in minor units. `at` is the event's time, in milliseconds
 * since 1970.
 */
export interface OutboxPayload {
  readonly at?: number;
  readonly amount?: number;
  /** Total amount refunded so far. */
  readonly refunded?: number;
  readonly method?: PaymentMethodType | undefined;
}

/** A database row for one event to send to the platform. */
export interface OutboxRow {
  /** Event ID. Every report of the same event has the same ID. */
  readonly id: string;
  readonly organization: string;
  /** Reference of the donation. A renewal has its own reference. */
  readonly reference: string;
  /** For a renewal and its events, the reference of the first donation. */
  readonly parentReference: string | null;
  readonly kind: OutboxEntryKind;
  readonly status: OutboxStatus;
  /** For a renewal, the payment provider's ID for the payment. */
  readonly paymentId: string | null;
  /** Stored as JSON, which row-mapper.ts parses when a row is read. */
  readonly payload: ColumnType<OutboxPayload, string, string>;
  /** For a donation or renewal, the platform's ID for the gift. */
  readonly platformGiftId: GiftId;
  readonly platformGiftIdText: GiftIdText;
  /**
   * Start time of a call to create the gift, if the response is unknown. If the platform may
   * already have the gift for another reason, any past time. Otherwise, `null`.
   */
  readonly dispatchedAt: number | null;
  readonly attempts: number;
  readonly nextRunAt: number;
  /**
   * Expiration time of the claim by the server that is sending the event. Never later than
   * `nextRunAt`.
   */
  readonly lockedUntil: number;
  readonly lastError: string | null;
  /**
   * Creation time. Events that are inserted together get increasing values. The server sends events
   * in the order of their creation times.
   */
  readonly createdAt: number;
  readonly updatedAt: number;
  /**
   * Time of the event as reported by the payment provider. If the provider reports no time, the
   * time at which the server inserted the event.
   */
  readonly happenedAt: number;
}

/** A stored event with a parsed payload. */
export type OutboxEntry = Selectable<OutboxRow>;

/** Number of times that a form ignored a setting on a given day. */
export interface IgnoredSettingStatRow {
  readonly form: string;
  /** The setting's name, such as `fund-code` or `giftInfo.amount`. */
  readonly name: string;
  readonly reason: IgnoreReason;
  /** The form's segment. Empty if the form had no segment. */
  readonly segment: string;
  /** Date in UTC, such as `2026-11-21`. */
  readonly day: string;
  readonly count: number;
}

/** An organization's platform calls in the current hour. */
export interface ApiQuotaRow {
  readonly organization: string;
  readonly used: number;
  readonly resetsAt: number;
  /** Number of calls allowed per hour, as reported by the platform. */
  readonly reportedLimit: number;
  /** Time until which the servers make no calls to the platform. */
  readonly backoffUntil: number;
  /** Number of consecutive failures. */
  readonly failures: number;
}

/**
 * Status of an inbound webhook. `stored` means that no hook is configured to handle the webhook.
 */
export type InboundWebhookStatus = 'pending' | 'handled' | 'stored';

/** A database row for one webhook from a platform. */
export interface InboundWebhookRow {
  /** Hash of the event, which is the same for every delivery and format. */
  readonly id: string;
  readonly organization: string;
  readonly source: 'fundraising' | 'donation-v1';
  /**
   * Name of the event type. If the platform's API does not define the type, the value as received.
   */
  readonly kind: string | null;
  readonly format: 'json' | 'xml';
  /** Request body as received. */
  readonly body: string;
  /** Size of the body in bytes. */
  readonly bytes: number;
  readonly status: InboundWebhookStatus;
  /** Number of failed hook calls. */
  readonly attempts: number;
  readonly nextRunAt: number;
  readonly lastError: string | null;
  readonly receivedAt: number;
}

/**
 * `pending`: the server will send the message; `failed`: every attempt failed; `endpoint_gone`: the
 * endpoint responded with 410 Gone.
 */
export type WebhookMessageStatus = 'pending' | 'failed' | 'endpoint_gone';

/** A database row for one undelivered message to an organization's own server. */
export interface WebhookMessageRow {
  /** The message's ID, which is the same for every attempt. */
  readonly id: string;
  readonly organization: string;
  /** Endpoint URL as configured. */
  readonly url: string;
  /** ID of the outbox event from which the server builds the message at sending time. */
  readonly event: string;
  readonly type: OutboundWebhookEvent;
  readonly status: WebhookMessageStatus;
  readonly attempts: number;
  readonly nextRunAt: number;
  readonly lastError: string | null;
  readonly createdAt: number;
}

/** A script from a release. The script's name contains a hash. */
export interface ArchivedAssetRow {
  /** File name, such as `donation-form.6b492c35-de.js`. */
  readonly name: string;
  readonly text: string;
  readonly firstSeenAt: number;
  /** Last time that a server reported this script as part of its build. */
  readonly lastSeenAt: number;
}

/**
 * A decision that an admin can make about a payment or an outbox event. `succeeded` or `failed`:
 * outcome of the payment; `entered`: the admin entered the gift or update on the platform;
 * `recorded`: the platform has the event; `not-recorded`: the platform does not have the event, so
 * the server sends it again; `send`: the server sends the event, so no admin has to enter it.
 */
export type ReviewDecision =
  'succeeded' | 'entered' | 'failed' | 'recorded' | 'not-recorded' | 'send';

/** A database row for one decision by an admin, saved in the same transaction as its effect. */
interface ReviewDecisionRow {
  readonly id: string;
  /** Reference of the donation. For a renewal, the reference of the first donation. */
  readonly reference: string;
  /** ID of the outbox event, or `null` if the decision is about the payment. */
  readonly event: string | null;
  readonly decision: ReviewDecision;
  readonly fromStatus: DonationStatus | OutboxStatus;
  readonly toStatus: DonationStatus | OutboxStatus;
  /** The platform's ID for the gift, if the admin specified the ID. */
  readonly platformGiftId: GiftId;
  readonly platformGiftIdText: GiftIdText;
  readonly decidedBy: string;
  readonly note: string;
  readonly decidedAt: number;
}

/** A decision by an admin, with the status before and after it. */
export type AppliedDecision = Selectable<ReviewDecisionRow>;

/** A period in which an organization accepts no new donations. */
export interface PauseRow {
  readonly id: string;
  readonly organization: string;
  readonly pausedAt: number;
  readonly pausedBy: string;
  readonly note: string;
  /** End of the pause, or `null` while the pause lasts. */
  readonly resumedAt: number | null;
  readonly resumedBy: string | null;
  readonly resumeNote: string | null;
}

/** A session of a signed-in admin. */
export interface AdminSessionRow {
  /**
   * HMAC of the cookie's token, keyed with the admin key. Changing the admin key therefore ends all
   * sessions.
   */
  readonly id: string;
  readonly name: string;
  /** Result of the admin's last action, as JSON. `null` once the result has been shown. */
  readonly notice: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number;
}

/**
 * The most recent occurrence of a problem. There is one row per cause and organization.
 */
export interface AlertRow {
  /** Name of the rule, such as `DonationFormNeedsReview`. */
  readonly cause: string;
  /** ID of the affected organization. Empty if the problem affects all organizations. */
  readonly organization: string;
  readonly beganAt: number;
  /** Last time that any server found the problem. */
  readonly lastSeenAt: number;
  /** End of the problem, or `null` while the problem lasts. */
  readonly endedAt: number | null;
  /** Time at which a server last claimed a message about the problem, or 0. */
  readonly sentAt: number;
  /** 1 if a message has been sent since the problem began; otherwise 0. */
  readonly isSent: 0 | 1;
  /** Number of affected items in the last message. */
  readonly sentCount: number;
}

/** The database's tables. Times are in milliseconds since 1970. */
export interface Tables {
  donations: DonationRow;
  outbox: OutboxRow;
  ignoredSettingStats: IgnoredSettingStatRow;
  apiQuotas: ApiQuotaRow;
  inboundWebhooks: InboundWebhookRow;
  webhookMessages: WebhookMessageRow;
  archivedAssets: ArchivedAssetRow;
  /**
   * Counts of the rate limiters, used if several servers share the database. `key` is a counter's
   * name and subject, such as a client address hashed with the daily secret.
   */
  rateLimits: { readonly key: string; readonly points: number; readonly expire: number | null };
  /**
   * Secrets used on one day to hash client addresses and emails and to sign challenges. `day` is the
   * number of days since January 1, 1970 (UTC).
   */
  dailySecrets: { readonly day: number; readonly secret: string };
  reviewDecisions: ReviewDecisionRow;
  pauses: PauseRow;
  adminSessions: AdminSessionRow;
  /** Rows written only to check that the database accepts writes. */
  healthProbes: { readonly name: string; readonly at: number };
  /** Daily jobs, each of which runs on only one of the servers. */
  jobs: { readonly name: string; readonly nextRunAt: number };
  alerts: AlertRow;
  /**
   * Named values, such as `version`, the release that last opened the database, or, in a backup,
   * `backup_made_at`, an ISO 8601 time.
   */
  serverInfo: { readonly name: string; readonly value: string };
}

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
  /** True for a test donation, for which no money moves. */
  readonly isTest: boolean;
  /** Projects, in the order of `gift.projects`. */
  readonly projects: readonly ChosenProject[];
  /** Project that receives the covered fees, if the form names one (rule 63). */
  readonly feeProject?: ChosenProject;
}

/** A project that receives all or part of the donation, with the name that the donor saw. */
export type ChosenProject = Pick<ProjectOffer, 'id' | 'code' | 'name'>;

/** One donation per row. Times are milliseconds since 1970. */
export interface DonationRow {
  readonly reference: string;
  /** SHA-256 of the idempotency key, which is never stored. */
  readonly idempotency_key_hash: string;
  /**
   * Hash of the amounts, donor, custom fields, consents, and form. A request with the same key but
   * a different fingerprint is rejected. Empty once the donor's data has been deleted. See
   * request-fingerprint.ts.
   */
  readonly fingerprint: string;
  readonly organization: string;
  readonly status: DonationStatus;
  /** Party that the donation is waiting for while its status is `processing`. */
  readonly awaiting: Awaiting | null;
  /** Parsed when a row is read. See parse-payload-plugin.ts. */
  readonly payload: ColumnType<DonationPayload, string, string>;
  /** The payment provider's ID, saved before any money moves. */
  readonly payment_id: string | null;
  /** The payment provider's ID for the subscription that renews a recurring donation. */
  readonly subscription_id: string | null;
  /** Status that the payment provider reported last, or `null` before the first report. */
  readonly subscription_status: SubscriptionStatus | null;
  /** The donor's payment method, a `PaymentMethodType`, if the payment provider reports it. */
  readonly payment_method: number | null;
  /** Reason for the failure. Kept if a failed donation needs review later. */
  readonly failure_reason: FailureReason | null;
  /** The platform's ID for the gift. */
  readonly platform_gift_id: number | null;
  readonly attempts: number;
  /** Start time of the most recent charge attempt. */
  readonly charge_started_at: number;
  /** Time of the next payment check. */
  readonly next_run_at: number;
  /**
   * Expiration time of the claim by the server that is handling the donation. Never later than
   * `next_run_at`.
   */
  readonly locked_until: number;
  readonly last_error: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  /** Time at which the donor's data was deleted, or `null` before the deletion. */
  readonly donor_deleted_at: number | null;
  readonly donor_deleted_by: string | null;
  /**
   * Time of the backup from which the donation was restored, or `null`. Set for recurring donations
   * and for donations that were in progress. Because the original database remained in use, the
   * platform may already have this donation and its later renewals. Webhooks add no renewals until
   * `reconcile --apply` has fetched the missing ones and cleared this mark.
   */
  readonly restored_at: number | null;
}

/** A stored donation, with its payload parsed. */
export type Donation = Selectable<DonationRow>;

/**
 * Kind of change to send to the platform. `donation` means that a donation was accepted or charged.
 * The other kinds are later changes. A renewal has its own reference.
 */
export type OutboxEventKind =
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
 * Delivery status of an outbox event. `pending`: to be sent; `delivered`: the platform has the
 * event or does not need it; `needs_review`: the platform may have the event, so a person must
 * decide; `manual`: the server cannot send the event, so a person must enter it on the platform.
 */
export type OutboxStatus = 'pending' | 'delivered' | 'needs_review' | 'manual';

/**
 * Details of an outbox event. Amounts are in minor units. `at` is the event's time, in milliseconds
 * since 1970.
 */
export interface OutboxPayload {
  readonly at?: number;
  readonly amount?: number;
  /** Total refunded so far. */
  readonly refunded?: number;
  readonly method?: PaymentMethodType | undefined;
}

/** One event to send to the platform per row. Times are milliseconds since 1970. */
export interface OutboxRow {
  /** Event ID. Every report of the same event has the same ID. */
  readonly id: string;
  readonly organization: string;
  /** The donation's reference. A renewal has its own. */
  readonly reference: string;
  /** For a renewal and its events, the reference of the first donation. */
  readonly parent_reference: string | null;
  readonly kind: OutboxEventKind;
  readonly status: OutboxStatus;
  /** For a renewal, the payment provider's ID for the payment. */
  readonly payment_id: string | null;
  /** Parsed when a row is read. See parse-payload-plugin.ts. */
  readonly payload: ColumnType<OutboxPayload, string, string>;
  /** For a donation or renewal, the platform's ID for the gift. */
  readonly platform_gift_id: number | null;
  /**
   * Start time of a create call whose response is unknown, or another past time if the platform may
   * already have the gift for a different reason. Otherwise `null`.
   */
  readonly dispatched_at: number | null;
  readonly attempts: number;
  readonly next_run_at: number;
  /** Time at which the sending server's claim expires. Never later than `next_run_at`. */
  readonly locked_until: number;
  readonly last_error: string | null;
  /**
   * Creation time. Events that are inserted together get increasing values. Events are sent in this
   * order.
   */
  readonly created_at: number;
  readonly updated_at: number;
  /**
   * Time of the event as reported by the payment provider. If the provider reports none, the time
   * at which the server inserted the event.
   */
  readonly happened_at: number;
}

/** A stored event, with its payload parsed. */
export type OutboxEvent = Selectable<OutboxRow>;

/** Number of times that a form ignored a setting on one day. */
export interface IgnoredSettingStatRow {
  readonly form: string;
  /** The setting's name, such as `fund-code` or `giftInfo.amount`. */
  readonly name: string;
  readonly reason: string;
  /** Empty if the form had no segment. */
  readonly segment: string;
  /** UTC, such as `2026-11-21`. */
  readonly day: string;
  readonly count: number;
}

/** An organization's platform calls in the current hour. Times are milliseconds since 1970. */
export interface ApiQuotaRow {
  readonly organization: string;
  readonly used: number;
  readonly resets_at: number;
  /** Calls allowed per hour, as the platform reports. */
  readonly reported_limit: number;
  /** Time before which the servers make no calls. */
  readonly backoff_until: number;
  /** Consecutive failures. */
  readonly failures: number;
}

/** Status of a webhook. `stored` means that no hook is configured to handle it. */
export type InboundWebhookStatus = 'pending' | 'handled' | 'stored';

/** One webhook from a fundraising platform per row. Times are milliseconds since 1970. */
export interface InboundWebhookRow {
  /** Hash of the event. It is the same for every delivery and format. */
  readonly id: string;
  readonly organization: string;
  readonly source: 'fundraising' | 'donation-v1';
  /**
   * Name of the event type. If the platform's API does not define the type, the type as received.
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
  readonly next_run_at: number;
  readonly last_error: string | null;
  readonly received_at: number;
}

/**
 * `pending`: to be sent; `failed`: every attempt failed; `endpoint_gone`: the endpoint responded
 * with 410 Gone.
 */
export type WebhookMessageStatus = 'pending' | 'failed' | 'endpoint_gone';

/**
 * One undelivered message to an organization's own server per row. Times are milliseconds since
 * 1970.
 */
export interface WebhookMessageRow {
  /** The message's ID. It is the same for every attempt. */
  readonly id: string;
  readonly organization: string;
  /** Endpoint URL as configured. */
  readonly url: string;
  /** ID of the outbox event from which the message is built when it is sent. */
  readonly event: string;
  readonly type: OutboundWebhookEvent;
  readonly status: WebhookMessageStatus;
  readonly attempts: number;
  readonly next_run_at: number;
  readonly last_error: string | null;
  readonly created_at: number;
}

/** A script from a release, with a hash in its name. Times are milliseconds since 1970. */
export interface ArchivedAssetRow {
  /** Such as `donation-form.6b492c35-de.js`. */
  readonly name: string;
  readonly text: string;
  readonly first_seen_at: number;
  /** Last time that a server reported this file as part of its build. */
  readonly last_seen_at: number;
}

/**
 * A rate limiter's count, used if several servers share the database. rate-limiter-flexible
 * determines the columns.
 */
export interface RateLimitRow {
  /** Client address, hashed with the daily secret. */
  readonly key: string;
  readonly points: number;
  /** Expiration time of the count, in milliseconds since 1970. */
  readonly expire: number | null;
}

/** Secret used on one day to hash client addresses and sign challenges. */
export interface DailySecretRow {
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly secret: string;
}

/**
 * A decision that an admin can make about a payment or an outbox event. `succeeded` or `failed`:
 * outcome of the payment; `entered`: the admin entered the gift or update on the platform;
 * `recorded`: the platform has the event; `not-recorded`: the platform does not have the event, so
 * send it again; `send`: send the event instead of entering it.
 */
export type ReviewDecision =
  'succeeded' | 'entered' | 'failed' | 'recorded' | 'not-recorded' | 'send';

/** One decision by an admin per row, saved in the same transaction as its effect. */
export interface ReviewDecisionRow {
  readonly id: string;
  /** The reference of the first donation. */
  readonly reference: string;
  /** ID of the outbox event, or `null` if the decision is about the payment. */
  readonly event: string | null;
  readonly decision: ReviewDecision;
  readonly from_status: DonationStatus | OutboxStatus;
  readonly to_status: DonationStatus | OutboxStatus;
  /** The platform's ID for the gift, if the admin entered it. */
  readonly platform_gift_id: number | null;
  readonly decided_by: string;
  readonly note: string;
  /** Milliseconds since 1970. */
  readonly decided_at: number;
}

/**
 * A period in which an organization accepts no new donations. Times are milliseconds since 1970.
 */
export interface PauseRow {
  readonly id: string;
  readonly organization: string;
  readonly paused_at: number;
  readonly paused_by: string;
  readonly note: string;
  /** End of the pause, or `null` while it lasts. */
  readonly resumed_at: number | null;
  readonly resumed_by: string | null;
  readonly resume_note: string | null;
}

/** A signed-in admin. Times are milliseconds since 1970. */
export interface AdminSessionRow {
  /**
   * HMAC of the cookie's token, keyed with the admin key. Changing the key therefore ends all
   * sessions.
   */
  readonly id: string;
  readonly name: string;
  /** Result of the last action as JSON, until it has been shown. */
  readonly notice: string | null;
  readonly created_at: number;
  readonly last_used_at: number;
}

/** A row written only to check that the database accepts writes. */
export interface HealthProbeRow {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A daily job. It runs on one of the servers. */
export interface JobRow {
  readonly name: string;
  readonly next_run_at: number;
}

/**
 * The most recent occurrence of a problem. There is one row per cause and organization. Times are
 * milliseconds since 1970.
 */
export interface AlertRow {
  /** Name of the rule, such as `DonationFormNeedsReview`. */
  readonly cause: string;
  /** Empty if the problem affects all organizations. */
  readonly organization: string;
  readonly began_at: number;
  /** Last time that any server found the problem. */
  readonly last_seen_at: number;
  /** `null` while the problem lasts. */
  readonly ended_at: number | null;
  /** Time at which a server last claimed a message about the problem, or 0. */
  readonly sent_at: number;
  /** 1 if a message was sent since the problem began. */
  readonly is_sent: 0 | 1;
  /** Number of affected items in the last message. */
  readonly sent_count: number;
}

/** A fact about the database, such as the release that last opened it. */
export interface ServerInfoRow {
  /** `version`, or in a backup `backup_made_at` (ISO 8601). */
  readonly name: string;
  readonly value: string;
}

export interface Tables {
  donations: DonationRow;
  outbox: OutboxRow;
  ignored_setting_stats: IgnoredSettingStatRow;
  api_quotas: ApiQuotaRow;
  inbound_webhooks: InboundWebhookRow;
  webhook_messages: WebhookMessageRow;
  archived_assets: ArchivedAssetRow;
  rate_limits: RateLimitRow;
  daily_secrets: DailySecretRow;
  review_decisions: ReviewDecisionRow;
  pauses: PauseRow;
  admin_sessions: AdminSessionRow;
  health_probes: HealthProbeRow;
  jobs: JobRow;
  alerts: AlertRow;
  server_info: ServerInfoRow;
}

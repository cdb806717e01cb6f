import type { ColumnType, Selectable } from 'kysely';
import type {
  Awaiting,
  DonationStatus,
  FailureReason,
  PaymentMethodType,
  SubscriptionStatus,
} from '@donation-form/core/donation';
import type {
  DonationRequest,
  FormDefinition,
  OutboundWebhookEvent,
  ProjectOffer,
} from '@donation-form/core/schemas';
import type { IgnoreReason } from '@donation-form/core/settings';
import type { PaymentProviderType } from '@donation-form/platform-clients/fundraising';

/** The parts of the request and form that later steps need, but never the payment token. */
export interface DonationPayload extends Pick<
  DonationRequest,
  'gift' | 'donor' | 'form' | 'customFields' | 'consents' | 'giftAid' | 'tracking'
> {
  readonly payment: Pick<DonationRequest['payment'], 'provider' | 'method'> & {
    readonly providerType?: PaymentProviderType | undefined;
  };
  readonly organization: string;
  readonly receiptSender: FormDefinition['receiptSender'];
  /** Payment instructions for a pledge. */
  readonly instructions?: string | undefined;
  readonly decimals: number;
  readonly isTest: boolean;
  readonly projects: readonly ChosenProject[];
  readonly feeProject?: ChosenProject | undefined;
}

export type ChosenProject = Pick<ProjectOffer, 'id' | 'code' | 'name'>;

/** `row-mapper.ts` reads an ID from either column, and `toGiftIdColumns` builds both. */
type GiftId = ColumnType<string | null, number | null, number | null>;
type GiftIdText = ColumnType<never, string | null | undefined, string | null>;

/** A row that a worker handles. */
interface WorkRow {
  readonly organization: string;
  /** Attempts and postponements since the last progress. For webhooks, failed attempts. */
  readonly attempts: number;
  readonly nextRunAt: number;
  readonly lastError: string | null;
}

/** A row about a gift. */
interface GiftRow extends WorkRow {
  readonly reference: string;
  /** The payment provider's ID, saved before any money moves. In the outbox, only of a renewal. */
  readonly paymentId: string | null;
  readonly platformGiftId: GiftId;
  readonly platformGiftIdText: GiftIdText;
  /** Expiration of a server's claim. Never later than `nextRunAt`. */
  readonly lockedUntil: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface DonationRow extends GiftRow {
  /** SHA-256 of the idempotency key, which is never stored. */
  readonly idempotencyKeyHash: string;
  /** Hash of the content, or empty once the donor's data has been deleted. */
  readonly fingerprint: string;
  readonly status: DonationStatus;
  /** Party that must act while the status is `processing`. */
  readonly awaiting: Awaiting | null;
  /** Stored as JSON, which row-mapper.ts parses when a row is read. */
  readonly payload: ColumnType<DonationPayload, string, string>;
  /** Renews a recurring donation. */
  readonly subscriptionId: string | null;
  /** `null` before the provider's first report. */
  readonly subscriptionStatus: SubscriptionStatus | null;
  /** A `PaymentMethodType`, if the payment provider reports it. */
  readonly paymentMethod: number | null;
  /** Remains set if the failed donation later needs review. */
  readonly failureReason: FailureReason | null;
  /** Start of the most recent attempt. */
  readonly chargeStartedAt: number;
  readonly donorDeletedAt: number | null;
  readonly donorDeletedBy: string | null;
  /**
   * Time of the backup from which a recurring or unfinished donation was restored. The original
   * database remained in use, so the platform may already have it and its renewals. Webhooks add no
   * renewals until `reconcile --apply` has fetched them and cleared this column.
   */
  readonly restoredAt: number | null;
  /**
   * The email's key (`donor-keys.ts`), or empty without an email. `null` once the donor's data has
   * been deleted, or if the previous release saved the donation.
   */
  readonly donorKey: string | null;
  /** Key of the email to notify about a tribute. */
  readonly notifyKey: string | null;
}

export type Donation = Selectable<DonationRow>;

/** `donation`: accepted or charged. A renewal has its own reference. */
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
 * `pending`: the server will send the event; `delivered`: the platform has it or does not need it;
 * `needs_review`: the platform may have it, so an admin must decide; `manual`: an admin must enter
 * it on the platform.
 */
export type OutboxStatus = 'pending' | 'delivered' | 'needs_review' | 'manual';

/** Amounts are in minor units, and `at` is the event's time in milliseconds since 1970. */
export interface OutboxPayload {
  readonly at?: number;
  readonly amount?: number;
  /** Total amount refunded so far. */
  readonly refunded?: number;
  readonly method?: PaymentMethodType | undefined;
}

export interface OutboxRow extends GiftRow {
  /** The same for every report of the event. */
  readonly id: string;
  /** For a renewal and its events, the first donation's. */
  readonly parentReference: string | null;
  readonly kind: OutboxEntryKind;
  readonly status: OutboxStatus;
  /** Stored as JSON, which row-mapper.ts parses when a row is read. */
  readonly payload: ColumnType<OutboxPayload, string, string>;
  /**
   * Start of a call with an unknown result or, if the gift may exist for another reason, any past
   * time. Otherwise, `null`.
   */
  readonly dispatchedAt: number | null;
  /** The server sends events in this order, so events that are inserted together differ. */
  readonly createdAt: number;
  /** According to the payment provider or, if it reports no time, to the server. */
  readonly happenedAt: number;
}

export type OutboxEntry = Selectable<OutboxRow>;

/** Counts how often a form ignored a setting on a day. */
export interface IgnoredSettingStatRow {
  readonly form: string;
  /** The setting's name, such as `fund-code` or `giftInfo.amount`. */
  readonly name: string;
  readonly reason: IgnoreReason;
  /** Empty without a segment. */
  readonly segment: string;
  /** In UTC, such as `2026-11-21`. */
  readonly day: string;
  readonly count: number;
}

/** In the current hour. */
export interface ApiQuotaRow {
  readonly organization: string;
  readonly used: number;
  readonly resetsAt: number;
  /** Per hour. */
  readonly reportedLimit: number;
  /** The servers make no calls until then. */
  readonly backoffUntil: number;
  /** Consecutive ones. */
  readonly failures: number;
}

/** `stored`: no hook is configured to handle the webhook. */
export type InboundWebhookStatus = 'pending' | 'handled' | 'stored';

export interface InboundWebhookRow extends WorkRow {
  /** The event's hash, the same for every delivery and format. */
  readonly id: string;
  readonly source: 'fundraising' | 'donation-v1';
  /** Event type, as received if the platform's API does not define it. */
  readonly kind: string | null;
  readonly format: 'json' | 'xml';
  readonly body: string;
  readonly bytes: number;
  readonly status: InboundWebhookStatus;
  readonly receivedAt: number;
}

/** `failed`: every attempt failed; `endpoint_gone`: the endpoint responded with 410 Gone. */
export type WebhookMessageStatus = 'pending' | 'failed' | 'endpoint_gone';

export interface WebhookMessageRow extends WorkRow {
  /** The same for every attempt. */
  readonly id: string;
  readonly url: string;
  /** Outbox event from which the server builds the message at sending time. */
  readonly event: string;
  readonly type: OutboundWebhookEvent;
  readonly status: WebhookMessageStatus;
  readonly createdAt: number;
}

/**
 * `thank_you`: after a donation or renewal, with its receipt; `receipt`: with a receipt that was
 * issued later; `receipt_void`: about a receipt that no other replaces; `tribute`: to the person whom
 * the donor named, after the payment.
 */
export type MailKind = 'thank_you' | 'receipt' | 'receipt_void' | 'tribute';

/**
 * `sent`: the SMTP server accepted the message; `failed`: it refused the message, or no attempts are
 * left; `canceled`: the message is no longer possible or wanted, for the reason in `lastError`.
 */
export type MailStatus = 'pending' | 'sent' | 'failed' | 'canceled';

/** Has no personal data: the server builds the message when it sends it. */
export interface MailMessageRow extends WorkRow {
  /** The same for every attempt. */
  readonly id: string;
  readonly kind: MailKind;
  /** ID of the outbox entry or receipt that the message is about. */
  readonly event: string;
  readonly status: MailStatus;
  /** `null` before the first attempt. */
  readonly messageId: string | null;
  /** Key of the recipient's mailbox (`donor-keys.ts`). `null` if such messages are not limited. */
  readonly recipientKey: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * `unwanted`: the person asked for no more tribute messages; `bounced`: a mail server rejected a
 * message after it had been sent; `complained`: the recipient reported it as spam.
 */
export type BlockReason = 'unwanted' | 'bounced' | 'complained';

/** An email to which the server sends no mail. */
export interface BlockedRecipientRow {
  readonly organization: string;
  /** Key of the email (`donor-keys.ts`). */
  readonly key: string;
  readonly reason: BlockReason;
  /** Person who blocked it. `null` if the mail provider reported it. */
  readonly blockedBy: string | null;
  readonly createdAt: number;
}

/**
 * `due`: the worker will decide; `issued`: has a number; `void`: had one, and is no longer valid;
 * `not_needed`: nothing is left to confirm, or the valid receipt already says the same.
 */
export type ReceiptStatus = 'due' | 'issued' | 'void' | 'not_needed';

/**
 * What a receipt confirms, as issued. Amounts are in minor units. Donor fields are absent once they
 * have been erased.
 */
export interface ReceiptData {
  /** Day of the donation in the organization's time zone, such as `2026-11-30`. */
  readonly day: string;
  readonly language: string;
  readonly currency: string;
  readonly decimals: number;
  /** Paid, less refunds. */
  readonly amount: number;
  readonly isTest: boolean;
  readonly donor?: { readonly name: string; readonly addressLines: readonly string[] } | undefined;
  /** If the staff asked for this receipt. `donor` is then what they entered. */
  readonly correction?: { readonly by: string; readonly note: string } | undefined;
}

/**
 * A row for each event that changes the amount paid, saved in its transaction. The worker gives the
 * numbers, voids, and replaces. An issued receipt is never edited.
 */
export interface ReceiptRow extends WorkRow {
  /** ID of the outbox entry, or `correction <reference> <time>` if the staff asked for it. */
  readonly id: string;
  /** Of the donation or renewal. */
  readonly reference: string;
  readonly status: ReceiptStatus;
  readonly series: string | null;
  /** Of issue, in the organization's time zone. */
  readonly year: number | null;
  /** Without gaps within organization, series, and year. */
  readonly number: number | null;
  /** Name and version of the template, such as `us@1`. */
  readonly template: string | null;
  /** Stored as JSON, which row-mapper.ts parses when a row is read. */
  readonly payload: ColumnType<ReceiptData | null, string | null, string | null>;
  /** SHA-256 of the document. */
  readonly hash: string | null;
  /** ID of the void receipt that this one replaces. */
  readonly replaces: string | null;
  readonly issuedAt: number | null;
  /** Until then, a tax receipt keeps the donor, even if the donor's data is deleted. */
  readonly keepUntil: number | null;
  readonly voidedAt: number | null;
  readonly voidReason: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Issued receipts as sent, because a later version would render them differently. */
export interface ReceiptFileRow {
  /** ID of the receipt. */
  readonly receipt: string;
  readonly mediaType: 'application/pdf' | 'text/html';
  readonly content: Uint8Array;
}

/** Ends a Gift Aid declaration for payments from a day on. */
export interface GiftAidCancellationRow {
  /** Of the donation with the declaration. */
  readonly reference: string;
  /** Start of the day, in milliseconds since 1970. */
  readonly canceledFrom: number;
  readonly canceledBy: string;
  readonly canceledAt: number;
}

export interface ArchivedAssetRow {
  readonly name: string;
  readonly text: string;
  readonly firstSeenAt: number;
  /** Last time that it was part of a server's build. */
  readonly lastSeenAt: number;
}

/**
 * `succeeded` or `failed`: outcome of the payment; `entered`: the admin entered the gift or update
 * on the platform; `recorded`: the platform has the event; `not-recorded`: it does not, so the
 * server sends the event again; `send`: the server sends it instead of an admin.
 */
export type ReviewDecision =
  'succeeded' | 'entered' | 'failed' | 'recorded' | 'not-recorded' | 'send';

/** Saved in the same transaction as its effect. */
interface ReviewDecisionRow {
  readonly id: string;
  /** For a renewal, the first donation's. */
  readonly reference: string;
  /** `null` if the decision is about the payment. */
  readonly event: string | null;
  readonly decision: ReviewDecision;
  readonly fromStatus: DonationStatus | OutboxStatus;
  readonly toStatus: DonationStatus | OutboxStatus;
  /** If the admin specified it. */
  readonly platformGiftId: GiftId;
  readonly platformGiftIdText: GiftIdText;
  readonly decidedBy: string;
  readonly note: string;
  readonly decidedAt: number;
}

export type AppliedDecision = Selectable<ReviewDecisionRow>;

/** The organization accepts no new donations, or sends no mail. */
export interface PauseRow {
  readonly id: string;
  readonly organization: string;
  readonly pausedAt: number;
  readonly pausedBy: string;
  readonly note: string;
  /** `null` while the pause lasts. */
  readonly resumedAt: number | null;
  readonly resumedBy: string | null;
  readonly resumeNote: string | null;
}

/** Someone who signs in to the admin pages. */
export interface StaffPersonRow {
  readonly id: string;
  /** Normalized. Receives sign-in links, but never identifies a person to an identity provider. */
  readonly email: string;
  readonly name: string;
  readonly createdAt: number;
}

export type Role = 'campaigner' | 'fundraiser' | 'finance' | 'administrator';

export interface StaffRoleRow {
  readonly person: string;
  /** ID of an organization, or `*` for all. */
  readonly organization: string;
  readonly role: Role;
}

export interface StaffPasskeyRow {
  /** Credential ID, in base64url. */
  readonly id: string;
  readonly person: string;
  /** COSE key, in base64url. */
  readonly publicKey: string;
  readonly counter: number;
  /** JSON array of transports, such as `["internal"]`. */
  readonly transports: string;
  /** Such as `Chrome on Windows`, for the person. */
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** A person's account at an OpenID Connect provider, identified by issuer and subject. */
export interface StaffIdentityRow {
  readonly issuer: string;
  readonly subject: string;
  readonly person: string;
  readonly createdAt: number;
}

/**
 * `sign-in` and `invitation`: links in mails; `setup`: link for the first person; the others belong
 * to the browser that starts to sign in or add a passkey.
 */
export type OneTimeTokenPurpose = 'sign-in' | 'invitation' | 'setup' | 'passkey' | 'openid-connect';

export interface OneTimeTokenRow {
  /** SHA-256 of the token. */
  readonly hash: string;
  readonly purpose: OneTimeTokenPurpose;
  readonly person: string | null;
  /** JSON, as the purpose needs it. */
  readonly data: string | null;
  readonly expiresAt: number;
}

/** A key with which a program performs staff actions. */
export interface ApiTokenRow {
  readonly id: string;
  /** SHA-256 of the token, which is shown once. */
  readonly hash: string;
  /** What it is for, such as `accounting export`. */
  readonly name: string;
  /** ID of an organization, or `*` for all. */
  readonly organization: string;
  /** JSON array of permissions. */
  readonly permissions: string;
  /** ID of a person, or `admin-key`. */
  readonly createdBy: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** What a person or token did. Never contains donor data. */
export interface AuditEntryRow {
  readonly id: string;
  readonly at: number;
  readonly actorKind: 'person' | 'token' | 'admin-key' | 'anonymous' | 'shell';
  /** ID of the person or token; otherwise the same as `actorKind`. */
  readonly actorId: string;
  readonly actorName: string;
  /** IP address, or empty. */
  readonly address: string;
  /** ID of an organization, or `*` if it concerns all. */
  readonly organization: string;
  /** Name of the staff action, such as `donations.resolve`. */
  readonly action: string;
  /** What it was about, such as a donation's reference. */
  readonly subject: string;
  /** JSON of the changed values before and after. `null` if nothing was. */
  readonly before: string | null;
  readonly after: string | null;
  /** `null` while the action runs, or if the server stopped before it ended. */
  readonly result: 'done' | 'failed' | null;
}

export interface AdminSessionRow {
  /** HMAC of the cookie's token with the admin key, so a new key ends all sessions. */
  readonly id: string;
  /** ID of the person. `null` with the admin key, before the first person exists. */
  readonly person: string | null;
  readonly name: string;
  /** Last time that the person proved who they are. */
  readonly authenticatedAt: number;
  /** Browser and system, such as `Firefox on Linux`, so that people recognize their sessions. */
  readonly device: string;
  /** Result of the last action, as JSON, until it is shown. */
  readonly notice: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number;
}

/** The latest occurrence, one row per cause and organization. */
export interface AlertRow {
  /** Rule, such as `DonationFormNeedsReview`. */
  readonly cause: string;
  /** Empty if the problem affects all organizations. */
  readonly organization: string;
  readonly beganAt: number;
  readonly lastSeenAt: number;
  readonly endedAt: number | null;
  /** Time of the last claimed message, or 0. */
  readonly sentAt: number;
  /** 1 if a message has been sent since the problem began. */
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
  mailMessages: MailMessageRow;
  blockedRecipients: BlockedRecipientRow;
  receipts: ReceiptRow;
  receiptFiles: ReceiptFileRow;
  /** Last number that was given. */
  receiptSeries: {
    readonly organization: string;
    readonly series: string;
    readonly year: number;
    readonly lastNumber: number;
  };
  giftAidCancellations: GiftAidCancellationRow;
  archivedAssets: ArchivedAssetRow;
  /** For several servers. `key` is a counter's name and a subject hashed with the daily secret. */
  rateLimits: { readonly key: string; readonly points: number; readonly expire: number | null };
  /**
   * For hashes of addresses and emails, and for challenges. `day` counts from January 1, 1970
   * (UTC).
   */
  dailySecrets: { readonly day: number; readonly secret: string };
  reviewDecisions: ReviewDecisionRow;
  pauses: PauseRow;
  mailPauses: PauseRow;
  adminSessions: AdminSessionRow;
  staffPeople: StaffPersonRow;
  staffRoles: StaffRoleRow;
  staffPasskeys: StaffPasskeyRow;
  staffIdentities: StaffIdentityRow;
  oneTimeTokens: OneTimeTokenRow;
  apiTokens: ApiTokenRow;
  auditEntries: AuditEntryRow;
  /** Written only to check that the database accepts writes. */
  healthProbes: { readonly name: string; readonly at: number };
  /** Each job runs on only one of the servers. */
  jobs: { readonly name: string; readonly nextRunAt: number };
  alerts: AlertRow;
  /**
   * `version` is the last release, `backup_made_at` an ISO 8601 time in a backup,
   * `donor_key_secret` the secret of the donor keys, and `first_person_at` the time when the first
   * person was added, in ISO 8601.
   */
  serverInfo: { readonly name: string; readonly value: string };
}

import type { RecurringState } from '@donation-form/core/donation';
import type { ColumnType, Selectable } from 'kysely';
import type {
  DonationRequest,
  FormDefinition,
  ProjectOffer,
  SiteEvent,
} from '@donation-form/core/schemas';
import type { PaymentProviderType } from '@donation-form/platform-clients/fundraising';

/**
 * What is known of a gift's payment.
 * charging: accepted, and the charge may have happened · action: the donor has to do something
 * first · pending: promised, or accepted by the processor, and paid later ·
 * charged: the money has moved · declined: nothing was charged, or a pending payment failed · held:
 * what is known does not fit together, so a person decides.
 */
export type GiftState = 'charging' | 'action' | 'pending' | 'charged' | 'declined' | 'held';

/**
 * A donation as it was accepted, with all of the form's definition that is needed later. The
 * payment token is never stored.
 */
export interface DonationPayload extends Pick<
  DonationRequest,
  'gift' | 'donor' | 'form' | 'customFields' | 'consents' | 'tracking'
> {
  readonly payment: Pick<DonationRequest['payment'], 'provider' | 'method'> & {
    readonly providerType?: PaymentProviderType | undefined;
  };
  /** Its name. */
  readonly organization: string;
  readonly receipts: FormDefinition['receipts'];
  /** What a donor who promised the gift has to do. */
  readonly instructions?: string | undefined;
  readonly decimals: number;
  /** No money moves. */
  readonly isTest: boolean;
  /** In the order of the gift's parts. */
  readonly projects: readonly ChosenProject[];
}

/** A project that a donation or a part of it is for, by the name that the donor saw. */
export type ChosenProject = Pick<ProjectOffer, 'id' | 'code' | 'name'>;

/** One donation, one row. Times are milliseconds since 1970. */
export interface DonationRow {
  readonly reference: string;
  /** SHA-256 of the idempotency key, which itself is kept nowhere. */
  readonly idempotency_key_hash: string;
  /**
   * Of gift, donor, custom fields, consents and form: the same key with another of these is
   * refused. Empty where what names the donor was deleted. See kept-gift.ts.
   */
  readonly fingerprint: string;
  readonly organization: string;
  readonly state: GiftState;
  /** Parsed when a row is read: see parse-payload-plugin.ts. */
  readonly payload: ColumnType<DonationPayload, string, string>;
  /** The processor's id; kept before any money moves. */
  readonly payment_id: string | null;
  /** The processor's id of what renews a recurring gift. */
  readonly subscription_id: string | null;
  /** What the processor said last of what renews the gift; `null` until it says something. */
  readonly subscription_status: RecurringState | null;
  /** How it was paid in the end, where the processor says so: PaymentMethodType. */
  readonly payment_method: number | null;
  readonly decline_reason: 'card-declined' | 'not-confirmed' | 'not-charged' | null;
  /** The platform's id of the gift. */
  readonly platform_gift_id: number | null;
  readonly attempts: number;
  /** When the last call that charges began. */
  readonly charge_started_at: number;
  /** When the payment is looked at again. */
  readonly next_run_at: number;
  /** Until when a server is working on it, at most; never after `next_run_at`. */
  readonly locked_until: number;
  readonly last_error: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  /** When what names the donor was deleted, and who did it; `null` while it is kept. */
  readonly redacted_at: number | null;
  readonly redacted_by: string | null;
  /**
   * In a copy of the store, of what was under way then and of recurring gifts: when it was made.
   * The store that it was copied from went on, so the platform may know of it,
   * and of renewals that have the next numbers: webhooks tell no others until `reconcile --take`
   * has asked for those, which ends it.
   */
  readonly restored_at: number | null;
}

/** A stored donation, its payload parsed. */
export type Donation = Selectable<DonationRow>;

/**
 * What happened to a gift, for the platform: `gift` when it was accepted or charged, `settled` or
 * `failed` where the money came later or did not, and what came after.
 * A renewal is a gift of its own, under a reference of its own.
 */
export type EventKind =
  | 'gift'
  | 'settled'
  | 'failed'
  | 'refund'
  | 'refund-failed'
  | 'dispute-opened'
  | 'dispute-won'
  | 'dispute-lost'
  | 'renewal'
  | 'renewal-failed'
  | 'resumption'
  | 'suspension'
  | 'cancellation';

/**
 * waiting: to be sent · recorded: the platform knows, by a call or by a person's hand, or need not
 * know · held: it may know, and a person decides · by-hand: this platform takes no such call, so a
 * person enters it.
 */
export type EventState = 'waiting' | 'recorded' | 'held' | 'by-hand';

/** One thing that the platform is to know, one row. Times are milliseconds since 1970. */
export interface EventRow {
  /** What happened, in a name that is the same however often it is told. */
  readonly id: string;
  readonly organization: string;
  /** Of the gift that it happened to; of a renewal its own. */
  readonly reference: string;
  /** Of the first gift, with everything that happens to a renewal. */
  readonly parent: string | null;
  readonly kind: EventKind;
  readonly state: EventState;
  /** The processor's id of a renewal. */
  readonly payment_id: string | null;
  /** What the platform is told of it, in JSON: see event-mapper.ts. */
  readonly detail: string;
  /** The platform's id of a gift or a renewal. */
  readonly platform_gift_id: number | null;
  /**
   * When a call began that records it and whose answer is not known: it may have been carried out.
   */
  readonly dispatched_at: number | null;
  readonly attempts: number;
  readonly next_run_at: number;
  /** Until when a server is telling it, at most; never after `next_run_at`. */
  readonly locked_until: number;
  readonly last_error: string | null;
  /** Events are sent in the order of this time. */
  readonly created_at: number;
  readonly updated_at: number;
  /** When the processor says that it happened. */
  readonly happened_at: number;
}

/** How often forms ignored a setting on one day. */
export interface IgnoredRow {
  readonly form: string;
  /** The setting's name, such as `fund-code` or `giftInfo.amount`. */
  readonly name: string;
  readonly reason: string;
  /** Empty where the form had none. */
  readonly segment: string;
  /** UTC, such as `2026-11-21`. */
  readonly day: string;
  readonly count: number;
}

/** The hour's calls to an organisation's platform. Times are milliseconds since 1970. */
export interface BudgetRow {
  readonly organization: string;
  readonly used: number;
  readonly resets_at: number;
  /** Calls an hour, as the platform says. */
  readonly reported_limit: number;
  /** No call before this time. */
  readonly backoff_until: number;
  /** Failures of the platform in a row. */
  readonly failures: number;
}

/** waiting: for the operator's hook · handled: by it · kept: there is no hook. */
export type PlatformWebhookState = 'waiting' | 'handled' | 'kept';

/** One event that a platform told, one row. Times are milliseconds since 1970. */
export interface PlatformWebhookRow {
  /** A hash, the same however often and in whatever format the event is told. */
  readonly id: string;
  readonly organization: string;
  readonly source: 'fundraising' | 'donation-v1';
  /** The name of the event's type; as it was told where the interface has no such type. */
  readonly kind: string | null;
  readonly format: 'json' | 'xml';
  /** As it came. */
  readonly body: string;
  /** Of the body. */
  readonly bytes: number;
  readonly state: PlatformWebhookState;
  /** How often the hook failed. */
  readonly attempts: number;
  readonly next_run_at: number;
  readonly last_error: string | null;
  readonly received_at: number;
}

/**
 * waiting: to be sent · given-up: not taken in all tries · gone: its address wants no messages any
 * more.
 */
export type SiteWebhookState = 'waiting' | 'given-up' | 'gone';

/**
 * A message to an organisation's own server that was not taken yet, one row. Times are milliseconds
 * since 1970.
 */
export interface SiteWebhookRow {
  /** The message's id, the same at every try. */
  readonly id: string;
  readonly organization: string;
  /** As the configuration has it. */
  readonly url: string;
  /** The id of what happened, from which and its gift the message is made when it is sent. */
  readonly event: string;
  readonly type: SiteEvent;
  readonly state: SiteWebhookState;
  readonly attempts: number;
  readonly next_run_at: number;
  readonly last_error: string | null;
  readonly created_at: number;
}

/** A script file of some release, whose name holds a hash. Times are milliseconds since 1970. */
export interface ScriptFileRow {
  /** Such as `donation-form.6b492c35-de.js`. */
  readonly name: string;
  readonly text: string;
  readonly first_seen_at: number;
  /** When a server last had it in its build. */
  readonly last_seen_at: number;
}

/**
 * What the guard counts of somebody, where several servers share the store: the columns are
 * rate-limiter-flexible's.
 */
export interface GuardCountRow {
  /** Hashed with the day's secret. */
  readonly key: string;
  readonly points: number;
  /** When it is forgotten, in milliseconds since 1970. */
  readonly expire: number | null;
}

/** What addresses are hashed with, and challenges signed, on one day. */
export interface GuardSecretRow {
  /** Since 1970, UTC. */
  readonly day: number;
  readonly secret: string;
}

/** What a person may decide about a payment or an event that needs review. */
export type Decision = 'charged' | 'entered' | 'declined' | 'recorded' | 'not-recorded' | 'send';

/** What a person decided, one row. It is kept with the step that it was, or not at all. */
export interface ResolutionRow {
  readonly id: string;
  /** Of the first gift. */
  readonly gift: string;
  /** The event that it was about; `null`: the gift's payment. */
  readonly event: string | null;
  readonly decision: Decision;
  readonly from_state: GiftState | EventState;
  readonly to_state: GiftState | EventState;
  /** The platform's id, where the person named it. */
  readonly platform_gift_id: number | null;
  readonly decided_by: string;
  readonly note: string;
  /** Milliseconds since 1970. */
  readonly decided_at: number;
}

/** A time in which an organisation takes no new gifts. Times are milliseconds since 1970. */
export interface PauseRow {
  readonly id: string;
  readonly organization: string;
  readonly paused_at: number;
  readonly paused_by: string;
  readonly note: string;
  /** `null`: it goes on. */
  readonly resumed_at: number | null;
  readonly resumed_by: string | null;
  readonly resume_note: string | null;
}

/** Somebody who is logged in to the operator's page. Times are milliseconds since 1970. */
export interface OperatorSessionRow {
  /** An HMAC of the cookie's token under the operator's key: with another key it is no session. */
  readonly id: string;
  readonly name: string;
  /** What came of the last press, in JSON, until it was shown. */
  readonly notice: string | null;
  readonly began_at: number;
  readonly used_at: number;
}

/** When something was last written, only to see whether writing works. */
export interface ProbeRow {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Something that one of the servers does every day. */
export interface JobRow {
  readonly name: string;
  readonly next_run_at: number;
}

export interface Tables {
  donations: DonationRow;
  outbox: EventRow;
  ignored_setting_stats: IgnoredRow;
  api_quotas: BudgetRow;
  inbound_webhooks: PlatformWebhookRow;
  webhook_messages: SiteWebhookRow;
  archived_assets: ScriptFileRow;
  rate_limits: GuardCountRow;
  daily_secrets: GuardSecretRow;
  review_decisions: ResolutionRow;
  pauses: PauseRow;
  admin_sessions: OperatorSessionRow;
  health_probes: ProbeRow;
  jobs: JobRow;
}

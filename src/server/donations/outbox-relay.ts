import { cleanLine } from '@donation-form/core/donor';
import { toMajorUnits } from '@donation-form/core/money';
import { GiftStatus } from '@donation-form/platform-clients/fundraising';
import type { Logger } from '../lib/logger.ts';
import type { ApiQuota } from '../platform/api-quota.ts';
import type { OutboxEvent } from '../database/schema.ts';
import { PollingWorker } from '../jobs/polling-worker.ts';
import { DeliveryBackoff } from './delivery-backoff.ts';
import type { DonationRepository } from './donation-repository.ts';
import type { DueEvent } from './outbox-repository.ts';
import { isPartialRefund, toGiftChange, toRenewalGift } from './event-mapper.ts';
import { toPlatformGift } from './to-platform-gift.ts';
import { getDonationTotal } from './total.ts';
import {
  decideAfterFailedCall,
  decideAfterNotFound,
  decideCreation,
  decideUpdate,
} from './outbox-decisions.ts';
import { describeError } from '../lib/describe-error.ts';
import { normalizeEmail } from '../lib/normalize-email.ts';
import {
  GiftNotCreatedError,
  type GiftChange,
  type PlatformAdapter,
} from '../platform/platform-adapter.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/**
 * Retry delay for an event that must wait for an earlier event about the same gift, in
 * milliseconds.
 */
const EARLIER_EVENT_DELAY = 2 * SECOND;
/** Retry delay for an event about a gift that is not on the platform yet, in milliseconds. */
const GIFT_ID_POLL_INTERVAL = MINUTE;
/**
 * Number of failed attempts after which the relay tries another event, to determine whether the
 * failed event or the platform is the cause.
 */
const PROBE_AFTER_FAILURES = 4;
/** First part of the review reason if the platform cannot look up gifts. */
const NO_LOOKUP = 'the platform cannot look up gifts';
/** Reasons for not sending an event to the platform. */
const NEVER_RECEIVED = 'the donation failed before the platform received it';
const NOT_SETTLED = 'the platform will receive the donation after the payment settles';
export const NO_PLATFORM = 'no platform was configured';

/** Describes why a call failed. The platform may nevertheless have processed the call. */
function describeFailedCall(error: unknown): string {
  const { status, code, cause, error: name } = describeError(error);
  if (status !== undefined) return `responded with status ${status}`;
  if ([name, cause].includes('TimeoutError')) return 'did not respond in time';
  if (code !== undefined) return `the connection failed (${code})`;
  return cleanLine((error as Error).message).slice(0, 200);
}

/** Returns a key that is the same for all events of a donor, or of a donation without an email. */
function identifyDonor({
  donorEmail: email,
  parentReference: parent,
  reference,
}: DueEvent): string {
  return email ? normalizeEmail(email) : (parent ?? reference);
}

export interface OutboxRelayOptions {
  readonly organization: string;
  readonly repository: DonationRepository;
  readonly platform: () => PlatformAdapter;
  readonly quota: () => ApiQuota;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * Sends each of an organization's outbox events to its platform once. Sends the events of one donor
 * in order, so that the platform does not create the same contact twice, and those of several
 * donors at the same time.
 */
export class OutboxRelay {
  readonly #options: OutboxRelayOptions;
  readonly #worker: PollingWorker<DueEvent>;
  readonly backoff: DeliveryBackoff;
  #deliveredCount = 0;
  /** True while the relay determines whether a failed event or the platform is the cause. */
  #isProbing = false;
  /**
   * IDs of the events sent as probes since the worker listed the due events. The worker may still
   * hold the events' state from before the probe.
   */
  readonly #probedEvents = new Set<string>();
  /** Events that the relay is sending, by ID. */
  readonly #eventsInProgress = new Map<string, Promise<void>>();
  constructor(options: OutboxRelayOptions) {
    const { organization, repository, quota, now } = options;
    this.#options = options;
    this.backoff = new DeliveryBackoff(quota, now);
    this.#worker = new PollingWorker({
      ...options,
      listDue: (limit) => this.#listDueEvents(limit),
      findNextDueTime: () => repository.outbox.findNextDueTime(organization),
      claim: repository.isShared ? (event) => repository.outbox.claimEvent(event) : undefined,
      handle: (event) => this.#trackDelivery(event),
      getConcurrency: () => (this.#isProbing ? 0 : this.backoff.concurrency),
      getGroup: identifyDonor,
      getEarliestRunTime: () => this.backoff.earliestCallTime,
    });
  }

  /** Sends due events. Resolves once no due events are left. */
  wakeWorker(): Promise<void> {
    return this.#worker.wake();
  }

  /** Sends due events. @returns the number of events sent. */
  sendDueEvents(stop: AbortSignal): Promise<number> {
    return this.#worker.handleDueRows(stop, () => this.#deliveredCount);
  }

  stopWorker(): Promise<void> {
    return this.#worker.stop();
  }

  /** Lists due events, except those of donors for whom another server is sending an event. */
  async #listDueEvents(limit: number): Promise<readonly DueEvent[]> {
    const { organization, repository } = this.#options;
    this.#probedEvents.clear();
    const events = await repository.outbox.listDueEvents(organization, limit);
    if (!repository.isShared || events.length === 0) return events;
    const claimed = await repository.outbox.listClaimedEvents(organization);
    const busyDonors = new Set(claimed.map(identifyDonor));
    return events.filter((event) => !busyDonors.has(identifyDonor(event)));
  }

  async #trackDelivery(event: OutboxEvent): Promise<void> {
    const delivery = this.#deliverEvent(event);
    this.#eventsInProgress.set(event.id, delivery);
    try {
      await delivery;
    } finally {
      this.#eventsInProgress.delete(event.id);
    }
  }

  async #deliverEvent(queued: OutboxEvent): Promise<void> {
    const event = this.#probedEvents.has(queued.id)
      ? await this.#options.repository.outbox.findById(queued.id)
      : queued;
    if (event?.status !== 'pending') return;
    const { kind } = event;
    const { isNone, acceptsOnlySettledGifts } = this.#options.platform();
    if (isNone) {
      this.#deliveredCount += 1;
      return this.#options.repository.outbox.markDeliveredAsUnnecessary(event, NO_PLATFORM);
    }
    if (kind === 'donation' || kind === 'renewal') return this.#createGift(event);
    if (acceptsOnlySettledGifts && kind === 'payment_settled') return this.#createGift(event);
    if (acceptsOnlySettledGifts && kind === 'payment_failed')
      return this.#options.repository.outbox.markDeliveredAsUnnecessary(event, NEVER_RECEIVED);
    return this.#sendGiftUpdate(kind, event);
  }

  async #createGift(event: OutboxEvent): Promise<void> {
    const { repository, now } = this.#options;
    const platform = this.#options.platform();
    let startedAt = event.dispatchedAt;
    const abilities = {
      isCreateIdempotent: platform.isCreateIdempotent === true,
      hasLookup: platform.findGiftId !== undefined,
    };
    let isCreating = false;
    try {
      const gift = await this.#buildGift(event);
      if (typeof gift === 'string')
        return await repository.outbox.markForReview(event, 'manual', gift);
      if (platform.acceptsOnlySettledGifts && gift.giftStatus !== GiftStatus.Approved)
        return await repository.outbox.markDeliveredAsUnnecessary(
          event,
          gift.giftStatus === GiftStatus.Declined ? NEVER_RECEIVED : NOT_SETTLED,
        );
      const creation = decideCreation(event, abilities);
      if (creation === 'review')
        return await repository.outbox.markForReview(
          event,
          'needs_review',
          `${NO_LOOKUP}, and ${await this.#describeEarlierCall(event)}`,
        );
      if (creation === 'find') {
        const lookedUpAt = now();
        const id = await platform.findGiftId!(event.reference);
        if (id !== undefined) return await this.#markDelivered(event, id);
        const next = decideAfterNotFound(event.dispatchedAt!, lookedUpAt, platform.findDelay);
        startedAt = next.dispatchedAt;
        if (next.type === 'postpone')
          return await repository.outbox.postponeEvent(event, {
            dueAt: next.dueAt,
            error: event.lastError,
            dispatchedAt: startedAt,
          });
      }
      startedAt = now();
      if (!(await repository.outbox.markDispatched(event))) return;
      isCreating = true;
      const id = await platform.createGift(gift);
      isCreating = false;
      await this.#markDelivered(event, id ?? null);
    } catch (error) {
      const next = decideAfterFailedCall(
        event,
        { isCreating, isNotCreated: error instanceof GiftNotCreatedError, startedAt },
        abilities,
      );
      await (next.type === 'review'
        ? this.#requestReview(event, error)
        : this.#scheduleRetry(event, error, next.dispatchedAt));
    }
  }

  /** Marks an event for review because the platform may have recorded it. */
  async #requestReview(event: OutboxEvent, error: unknown): Promise<void> {
    const { repository, log } = this.#options;
    this.backoff.recordFailure();
    await this.backoff.start({ isLimited: false });
    log.error(
      { reference: event.reference, event: event.kind, ...describeError(error) },
      'donation needs review: the platform may have recorded it but cannot look up gifts',
    );
    await repository.outbox.markForReview(
      { ...event, attempts: event.attempts + 1 },
      'needs_review',
      `${NO_LOOKUP}, and ${describeFailedCall(error)}`,
    );
  }

  /** Describes why the platform may already have a gift. */
  async #describeEarlierCall(event: OutboxEvent): Promise<string> {
    const { lastError: error, dispatchedAt: at, payload } = event;
    if (error !== null) return `an earlier call failed: ${error}`;
    if (at === payload.at) return 'the payment provider reported the renewal late';
    const { restoredAt } = await this.#getFirstDonation(event);
    return at === restoredAt
      ? 'the database was restored from a backup'
      : 'the server stopped during the call, or the database was restored from a backup';
  }

  /** Builds the gift to create, or returns the reason why a person must enter the gift manually. */
  async #buildGift(event: OutboxEvent): Promise<ReturnType<typeof toPlatformGift> | string> {
    const first = await this.#getFirstDonation(event);
    if (first.donorDeletedAt !== null)
      return (
        'the donor data was deleted before the platform received the donation; ' +
        'enter the donation without a donor'
      );
    if (event.kind !== 'renewal') return toPlatformGift(first);
    const { total, currency, decimals } = getDonationTotal(first);
    const { amount } = event.payload;
    return amount === total
      ? toRenewalGift(event, first)
      : `the payment provider charged ${toMajorUnits(amount!, decimals)} ${currency} for the ` +
          `renewal; expected ${toMajorUnits(total, decimals)} ${currency}`;
  }

  async #sendGiftUpdate(kind: GiftChange['kind'], event: OutboxEvent): Promise<void> {
    const { repository, now } = this.#options;
    const platform = this.#options.platform();
    try {
      const gift = await repository.outbox.findGiftCreationEvent(event.reference);
      if (gift?.lastError === NO_PLATFORM)
        return kind === 'payment_failed'
          ? await repository.outbox.markDeliveredAsUnnecessary(event, NEVER_RECEIVED)
          : await repository.outbox.markForReview(
              event,
              'manual',
              'the donation was made before the platform was connected',
            );
      const first = await this.#getFirstDonation(event);
      const step = decideUpdate(gift, first, platform.updateGift !== undefined);
      if (step === 'unnecessary')
        return await repository.outbox.markDeliveredAsUnnecessary(event, NEVER_RECEIVED);
      if (step === 'manual')
        return await repository.outbox.markForReview(
          event,
          'manual',
          'the platform adapter does not support gift updates',
        );
      if (await repository.outbox.hasEarlierPendingEvent(event))
        return await repository.outbox.postponeEvent(event, {
          dueAt: now() + EARLIER_EVENT_DELAY,
          error: event.lastError,
          dispatchedAt: null,
        });
      if (step === 'wait')
        return await repository.outbox.postponeEvent(event, {
          dueAt: now() + (gift?.status === 'pending' ? EARLIER_EVENT_DELAY : GIFT_ID_POLL_INTERVAL),
          error: 'the gift is not on the platform yet',
          dispatchedAt: null,
        });
      const history = {
        total: gift!.payload.amount ?? getDonationTotal(first).total,
        events: await repository.outbox.listEvents(event.reference),
      };
      if (platform.refundsOnlyWholeGifts === true && isPartialRefund(event, history))
        return await repository.outbox.markForReview(
          event,
          'manual',
          'the platform cannot record a partial refund; reduce the gift amount there or add a note',
        );
      await platform.updateGift!(toGiftChange(kind, event, first, gift!.platformGiftId!, history));
      await this.#markDelivered(event, null);
    } catch (error) {
      await this.#scheduleRetry(event, error, null);
    }
  }

  async #getFirstDonation({ reference, parentReference: parent }: OutboxEvent) {
    const first = await this.#options.repository.findByReference(parent ?? reference);
    if (!first) throw new Error(`donation ${parent ?? reference} not found`);
    return first;
  }

  async #markDelivered(event: OutboxEvent, platformId: string | null): Promise<void> {
    this.#deliveredCount += 1;
    await this.#options.repository.outbox.markDelivered(event, platformId);
    await this.backoff.recordSuccess();
  }

  /**
   * Schedules the next attempt to send a failed event. If the platform rejected the gift, only this
   * event waits: for 2, 4, 8 … seconds, up to one hour. After any other error, all events wait in
   * order until the backoff ends. If an event has failed repeatedly and the platform accepts
   * another event, only the failed event waits.
   */
  async #scheduleRetry(
    event: OutboxEvent,
    error: unknown,
    dispatchedAt: number | null,
  ): Promise<void> {
    const { repository, log, now } = this.#options;
    const {
      isRejected = false,
      isKeyRejected = false,
      isDeferred = false,
      retryAt,
      isLimited = false,
    } = error instanceof GiftNotCreatedError ? error : {};
    const shouldProbe =
      event.attempts + 1 >= PROBE_AFTER_FAILURES && !isDeferred && !isLimited && !this.#isProbing;
    let dueAt = now();
    if (!isRejected) this.backoff.recordFailure();
    if (isRejected || (shouldProbe && (await this.#probePlatform(event)))) {
      dueAt = now() + Math.min(2 ** (event.attempts + 1) * SECOND, HOUR);
    } else if (isDeferred) {
      this.backoff.defer(retryAt!);
    } else {
      await this.backoff.start({ retryAt, isLimited, isKeyRejected });
    }
    log.warn(
      {
        organization: event.organization,
        reference: event.reference,
        event: event.kind,
        ...describeError(error),
        retryAt: new Date(Math.max(dueAt, this.backoff.earliestCallTime)).toISOString(),
      },
      'cannot send an event to the platform; will retry',
    );
    await repository.outbox.postponeEvent(event, {
      dueAt,
      error: cleanLine(String(error)).slice(0, 300),
      dispatchedAt,
    });
  }

  /**
   * Waits for the other events in progress. If they do not show whether the platform responds, sends
   * a due event for another donation.
   * @returns true if the platform accepted another event.
   */
  async #probePlatform(event: OutboxEvent): Promise<boolean> {
    const { outbox, isShared } = this.#options.repository;
    const countBefore = this.#deliveredCount;
    this.#isProbing = true;
    try {
      const others = [...this.#eventsInProgress].filter(([id]) => id !== event.id);
      await Promise.allSettled(others.map(([, delivery]) => delivery));
      if (this.#deliveredCount > countBefore || this.backoff.isActive)
        return this.#deliveredCount > countBefore;
      const found = await outbox.findDueEventOfOtherDonation(event);
      const other = found && isShared ? await outbox.claimEvent(found) : found;
      if (!other) return false;
      this.#probedEvents.add(other.id);
      await this.#deliverEvent(other);
      return this.#deliveredCount > countBefore;
    } finally {
      this.#isProbing = false;
    }
  }
}

import { cleanLine } from '@donation-form/core/donor';
import type { Logger } from '../lib/logger.ts';
import { isBackingOff, type ApiQuota } from '../platform/api-quota.ts';
import type { EventRow } from '../database/schema.ts';
import { PollingWorker } from '../jobs/polling-worker.ts';
import type { DonationRepository } from './donation-repository.ts';
import { readDetail, toChange, toRenewal } from './event-mapper.ts';
import { toPlatformGift } from './to-platform-gift.ts';
import { totalOf } from './total.ts';
import { describeError } from '../lib/describe-error.ts';
import {
  GiftRejectedError,
  type GiftChange,
  type PlatformAdapter,
} from '../platform/platform-adapter.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/**
 * How long after a call began the platform's "not found" is believed: longer than the call may
 * last.
 */
const BELIEVE_ABSENCE_AFTER = 30 * SECOND;
/** How long a change waits for an earlier one of the same gift. */
const LET_EARLIER_PASS = 2 * SECOND;
/** How often a change looks whether the platform knows its gift by now. */
const LOOK_FOR_GIFT = MINUTE;
/**
 * After how many failures in a row it is asked whether they are the platform's trouble, or one
 * event's own.
 */
const DOUBTED_AFTER = 4;

export interface OutboxRelayOptions {
  readonly organization: string;
  readonly repository: DonationRepository;
  readonly recorder: () => PlatformAdapter;
  readonly budget: () => ApiQuota;
  readonly log: Logger;
  readonly now: () => number;
}

/** Tells the platform of an organisation's gifts and what became of them, each once, in order. */
export class OutboxRelay {
  readonly #options: OutboxRelayOptions;
  readonly #worker: PollingWorker<EventRow>;
  /** The platform is in trouble, or asked for silence: no call before this time. */
  #backoffUntil = 0;
  /** The silence is about the key: another one may be tried at once. */
  #isKeyRefused = false;
  #deliveredCount = 0;
  /** An event is told to see whether the platform is in trouble at all. */
  #isProbing = false;
  /** The last that was told so: the loop may still have it as it was before. */
  #probedEvent: string | undefined;

  constructor(options: OutboxRelayOptions) {
    const { organization, repository } = options;
    this.#options = options;
    this.#worker = new PollingWorker({
      ...options,
      due: (limit) => repository.outbox.listDue(organization, limit),
      nextDue: () => repository.outbox.findNextDueTime(organization),
      claim: repository.isShared ? (event) => repository.outbox.claim(event) : undefined,
      work: (event) => this.#deliver(event),
      silentUntil: () => (this.#isBackingOff() ? this.#backoffUntil : 0),
    });
  }

  /** Tells what is due. @returns when nothing is due any more. */
  wake(): Promise<void> {
    return this.#worker.wake();
  }

  /** Tells what is due, and does not come back. @returns how much the platform was told. */
  runDue(until: AbortSignal): Promise<number> {
    return this.#worker.drain(until, () => this.#deliveredCount);
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  /**
   * Ends the silence after a refused key, since the configuration may name another now.
   * @returns whether there was one.
   */
  async retryWithNewKey(): Promise<boolean> {
    if (!this.#isKeyRefused) return false;
    this.#isKeyRefused = false;
    await this.#options.budget().succeeded();
    this.#backoffUntil = 0;
    return true;
  }

  async #deliver(given: EventRow): Promise<void> {
    const event =
      given.id === this.#probedEvent
        ? await this.#options.repository.outbox.findById(given.id)
        : given;
    if (event?.state !== 'waiting') return;
    const { kind } = event;
    if (this.#options.recorder().isNone) return this.#markDelivered(event, null);
    return kind === 'gift' || kind === 'renewal'
      ? this.#createGift(event)
      : this.#updateGift(kind, event);
  }

  async #createGift(event: EventRow): Promise<void> {
    const { repository, now } = this.#options;
    const recorder = this.#options.recorder();
    let began = event.dispatched_at;
    try {
      const gift = await this.#buildPlatformGift(event);
      if (typeof gift === 'string')
        return await repository.outbox.leaveForReview(event, 'by-hand', gift);
      if (began !== null) {
        if (!recorder.findGift)
          return await repository.outbox.leaveForReview(
            event,
            'held',
            'the platform may know of it, since the answer of the call that records it was lost or the store is an older copy, and there is no look-up',
          );
        const askedAt = now();
        const id = await recorder.findGift(event.reference);
        if (id !== undefined) return await this.#markDelivered(event, id);
        // It began later than now where the clock was ahead then.
        began = Math.min(began, askedAt);
        if (askedAt - began < BELIEVE_ABSENCE_AFTER)
          return await repository.outbox.postpone(event, {
            dueAt: began + BELIEVE_ABSENCE_AFTER,
            error: event.last_error,
            sendingBeganAt: began,
          });
      }
      began = now();
      if (!(await repository.outbox.markDispatched(event))) return;
      await this.#markDelivered(event, await recorder.createGift(gift));
    } catch (error) {
      const isRefused = error instanceof GiftRejectedError;
      await this.#postpone(event, error, isRefused && event.dispatched_at === null ? null : began);
    }
  }

  /** What is recorded of an event, or why a person has to enter it. */
  async #buildPlatformGift(event: EventRow): Promise<ReturnType<typeof toPlatformGift> | string> {
    const first = await this.#findFirstDonation(event);
    if (first.redacted_at !== null)
      return 'the data of its donor was deleted before the platform knew of it: enter it without a donor';
    if (event.kind === 'gift') return toPlatformGift(first);
    const { total, currency } = totalOf(first);
    const { amount } = readDetail(event);
    return amount === total
      ? toRenewal(event, first)
      : `the processor renewed the gift with ${amount} minor units of ${currency}, and ${total} were agreed to`;
  }

  async #updateGift(kind: GiftChange['kind'], event: EventRow): Promise<void> {
    const { repository, now } = this.#options;
    const recorder = this.#options.recorder();
    try {
      const entry = await repository.outbox.findGiftEvent(event.reference);
      const platformId = entry?.platform_gift_id ?? null;
      const first = await this.#findFirstDonation(event);
      if (!entry && first.state === 'declined')
        return await repository.outbox.markUnnecessary(
          event,
          'the platform was never told of its gift, which counts as declined',
        );
      if (!recorder.updateGift)
        return await repository.outbox.leaveForReview(
          event,
          'by-hand',
          'the platform has no call for changes',
        );
      if (await repository.outbox.hasEarlierPendingEvent(event))
        return await repository.outbox.postpone(event, {
          dueAt: now() + LET_EARLIER_PASS,
          error: event.last_error,
          sendingBeganAt: null,
        });
      if (platformId === null)
        return await repository.outbox.postpone(event, {
          dueAt: now() + (entry?.state === 'waiting' ? LET_EARLIER_PASS : LOOK_FOR_GIFT),
          error: 'the platform does not know the gift yet',
          sendingBeganAt: null,
        });
      await recorder.updateGift(toChange(kind, event, first, platformId));
      await this.#markDelivered(event, null);
    } catch (error) {
      await this.#postpone(event, error, null);
    }
  }

  async #findFirstDonation({ reference, parent }: EventRow) {
    const first = await this.#options.repository.findByReference(parent ?? reference);
    if (!first) throw new Error(`no gift ${parent ?? reference} in the journal`);
    return first;
  }

  async #markDelivered(event: EventRow, platformId: number | null): Promise<void> {
    this.#deliveredCount += 1;
    this.#isKeyRefused = false;
    await this.#options.repository.outbox.markDelivered(event, platformId);
    await this.#options.budget().succeeded();
  }

  /**
   * A refusal is this gift's own trouble: it waits 2, 4, 8 … seconds, an hour at most, and the
   * others go on.
   * Anything else is the platform's: all wait, in their order, until its budget allows another
   * call. Where one event has failed often, another is told first: if that is recorded, the trouble
   * was the first one's own.
   */
  async #postpone(event: EventRow, error: unknown, sendingBeganAt: number | null): Promise<void> {
    const { repository, budget, log, now } = this.#options;
    const {
      isRejected: isOwnTrouble = false,
      isKeyRefused = false,
      isDeferred: isHeldBack = false,
      retryAt,
      isLimited = false,
    } = error instanceof GiftRejectedError ? error : {};
    const isDoubted =
      event.attempts + 1 >= DOUBTED_AFTER && !isHeldBack && !isLimited && !this.#isProbing;
    let dueAt = now();
    if (isOwnTrouble || (isDoubted && (await this.#isDeliveredByAnother(event)))) {
      dueAt = now() + Math.min(2 ** (event.attempts + 1) * SECOND, HOUR);
    } else if (isHeldBack) {
      this.#backoffUntil = retryAt!.getTime();
    } else if (!this.#isBackingOff()) {
      this.#isKeyRefused = isKeyRefused;
      this.#backoffUntil = await budget().failed({ retryAt, isLimited });
    }
    log.warn(
      {
        reference: event.reference,
        event: event.kind,
        ...describeError(error),
        retryAt: new Date(Math.max(dueAt, this.#backoffUntil)).toISOString(),
      },
      'the platform has not been told yet',
    );
    await repository.outbox.postpone(event, {
      dueAt,
      error: cleanLine(String(error)).slice(0, 300),
      sendingBeganAt,
    });
  }

  #isBackingOff(): boolean {
    return isBackingOff(this.#backoffUntil, this.#options.now());
  }

  /** Tells one thing that happened to another gift. @returns whether the platform took it. */
  async #isDeliveredByAnother(event: EventRow): Promise<boolean> {
    const { outbox: events, isShared } = this.#options.repository;
    const found = await events.listDueOfOtherDonations(event);
    const other = found && isShared ? await events.claim(found) : found;
    const before = this.#deliveredCount;
    if (!other) return false;
    this.#isProbing = true;
    try {
      await this.#deliver(other);
    } finally {
      this.#isProbing = false;
      this.#probedEvent = other.id;
    }
    return this.#deliveredCount > before;
  }
}

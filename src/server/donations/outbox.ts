import { cleanLine } from '@donation-form/core/donor';
import type { Logger } from '../lib/logger.ts';
import { isSilent, type Budget } from '../platform/api-quota.ts';
import type { EventRow } from '../database/schema.ts';
import { DueLoop } from '../jobs/polling-worker.ts';
import type { Journal } from './donation-repository.ts';
import { readDetail, toChange, toRenewal } from './event-mapper.ts';
import { toPlatformGift } from './to-platform-gift.ts';
import { totalOf } from './total.ts';
import { aboutError } from '../lib/describe-error.ts';
import {
  NotRecordedError,
  type GiftChange,
  type GiftRecorder,
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

export interface OutboxOptions {
  readonly organization: string;
  readonly journal: Journal;
  readonly recorder: () => GiftRecorder;
  readonly budget: () => Budget;
  readonly log: Logger;
  readonly now: () => number;
}

/** Tells the platform of an organisation's gifts and what became of them, each once, in order. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #loop: DueLoop<EventRow>;
  /** The platform is in trouble, or asked for silence: no call before this time. */
  #silentUntil = 0;
  /** The silence is about the key: another one may be tried at once. */
  #isKeyRefused = false;
  #told = 0;
  /** An event is told to see whether the platform is in trouble at all. */
  #isProbing = false;
  /** The last that was told so: the loop may still have it as it was before. */
  #probed: string | undefined;

  constructor(options: OutboxOptions) {
    const { organization, journal } = options;
    this.#options = options;
    this.#loop = new DueLoop({
      ...options,
      due: (limit) => journal.events.due(organization, limit),
      nextDue: () => journal.events.nextDue(organization),
      claim: journal.isShared ? (event) => journal.events.claim(event) : undefined,
      work: (event) => this.#tell(event),
      silentUntil: () => (this.#isSilent() ? this.#silentUntil : 0),
    });
  }

  /** Tells what is due. @returns when nothing is due any more. */
  wake(): Promise<void> {
    return this.#loop.wake();
  }

  /** Tells what is due, and does not come back. @returns how much the platform was told. */
  drain(until: AbortSignal): Promise<number> {
    return this.#loop.drain(until, () => this.#told);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /**
   * Ends the silence after a refused key, since the configuration may name another now.
   * @returns whether there was one.
   */
  async forgetKey(): Promise<boolean> {
    if (!this.#isKeyRefused) return false;
    this.#isKeyRefused = false;
    await this.#options.budget().succeeded();
    this.#silentUntil = 0;
    return true;
  }

  async #tell(given: EventRow): Promise<void> {
    const event =
      given.id === this.#probed ? await this.#options.journal.events.byId(given.id) : given;
    if (event?.state !== 'waiting') return;
    const { kind } = event;
    if (this.#options.recorder().isJournal) return this.#recorded(event, null);
    return kind === 'gift' || kind === 'renewal' ? this.#record(event) : this.#update(kind, event);
  }

  async #record(event: EventRow): Promise<void> {
    const { journal, now } = this.#options;
    const recorder = this.#options.recorder();
    let began = event.sending_began_at;
    try {
      const gift = await this.#recordable(event);
      if (typeof gift === 'string') return await journal.events.left(event, 'by-hand', gift);
      if (began !== null) {
        if (!recorder.find)
          return await journal.events.left(
            event,
            'held',
            'the platform may know of it, since the answer of the call that records it was lost or the store is an older copy, and there is no look-up',
          );
        const askedAt = now();
        const id = await recorder.find(event.reference);
        if (id !== undefined) return await this.#recorded(event, id);
        // It began later than now where the clock was ahead then.
        began = Math.min(began, askedAt);
        if (askedAt - began < BELIEVE_ABSENCE_AFTER)
          return await journal.events.postponed(event, {
            dueAt: began + BELIEVE_ABSENCE_AFTER,
            error: event.last_error,
            sendingBeganAt: began,
          });
      }
      began = now();
      if (!(await journal.events.sendingBegins(event))) return;
      await this.#recorded(event, await recorder.record(gift));
    } catch (error) {
      const isRefused = error instanceof NotRecordedError;
      await this.#postpone(
        event,
        error,
        isRefused && event.sending_began_at === null ? null : began,
      );
    }
  }

  /** What is recorded of an event, or why a person has to enter it. */
  async #recordable(event: EventRow): Promise<ReturnType<typeof toPlatformGift> | string> {
    const first = await this.#first(event);
    if (first.redacted_at !== null)
      return 'the data of its donor was deleted before the platform knew of it: enter it without a donor';
    if (event.kind === 'gift') return toPlatformGift(first);
    const { total, currency } = totalOf(first);
    const { amount } = readDetail(event);
    return amount === total
      ? toRenewal(event, first)
      : `the processor renewed the gift with ${amount} minor units of ${currency}, and ${total} were agreed to`;
  }

  async #update(kind: GiftChange['kind'], event: EventRow): Promise<void> {
    const { journal, now } = this.#options;
    const recorder = this.#options.recorder();
    try {
      const entry = await journal.events.entryOf(event.reference);
      const platformId = entry?.platform_id ?? null;
      const first = await this.#first(event);
      if (!entry && first.state === 'declined')
        return await journal.events.needless(
          event,
          'the platform was never told of its gift, which counts as declined',
        );
      if (!recorder.update)
        return await journal.events.left(event, 'by-hand', 'the platform has no call for changes');
      if (await journal.events.isOvertaking(event))
        return await journal.events.postponed(event, {
          dueAt: now() + LET_EARLIER_PASS,
          error: event.last_error,
          sendingBeganAt: null,
        });
      if (platformId === null)
        return await journal.events.postponed(event, {
          dueAt: now() + (entry?.state === 'waiting' ? LET_EARLIER_PASS : LOOK_FOR_GIFT),
          error: 'the platform does not know the gift yet',
          sendingBeganAt: null,
        });
      await recorder.update(toChange(kind, event, first, platformId));
      await this.#recorded(event, null);
    } catch (error) {
      await this.#postpone(event, error, null);
    }
  }

  async #first({ reference, parent }: EventRow) {
    const first = await this.#options.journal.byReference(parent ?? reference);
    if (!first) throw new Error(`no gift ${parent ?? reference} in the journal`);
    return first;
  }

  async #recorded(event: EventRow, platformId: number | null): Promise<void> {
    this.#told += 1;
    this.#isKeyRefused = false;
    await this.#options.journal.events.recorded(event, platformId);
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
    const { journal, budget, log, now } = this.#options;
    const {
      isOwnTrouble = false,
      isKeyRefused = false,
      isHeldBack = false,
      retryAt,
      isLimited = false,
    } = error instanceof NotRecordedError ? error : {};
    const isDoubted =
      event.attempts + 1 >= DOUBTED_AFTER && !isHeldBack && !isLimited && !this.#isProbing;
    let dueAt = now();
    if (isOwnTrouble || (isDoubted && (await this.#isAnotherTold(event)))) {
      dueAt = now() + Math.min(2 ** (event.attempts + 1) * SECOND, HOUR);
    } else if (isHeldBack) {
      this.#silentUntil = retryAt!.getTime();
    } else if (!this.#isSilent()) {
      this.#isKeyRefused = isKeyRefused;
      this.#silentUntil = await budget().failed({ retryAt, isLimited });
    }
    log.warn(
      {
        reference: event.reference,
        event: event.kind,
        ...aboutError(error),
        retryAt: new Date(Math.max(dueAt, this.#silentUntil)).toISOString(),
      },
      'the platform has not been told yet',
    );
    await journal.events.postponed(event, {
      dueAt,
      error: cleanLine(String(error)).slice(0, 300),
      sendingBeganAt,
    });
  }

  #isSilent(): boolean {
    return isSilent(this.#silentUntil, this.#options.now());
  }

  /** Tells one thing that happened to another gift. @returns whether the platform took it. */
  async #isAnotherTold(event: EventRow): Promise<boolean> {
    const { events, isShared } = this.#options.journal;
    const found = await events.dueOfOthers(event);
    const other = found && isShared ? await events.claim(found) : found;
    const before = this.#told;
    if (!other) return false;
    this.#isProbing = true;
    try {
      await this.#tell(other);
    } finally {
      this.#isProbing = false;
      this.#probed = other.id;
    }
    return this.#told > before;
  }
}

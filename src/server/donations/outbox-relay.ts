import { cleanLine } from '@donation-form/core/donor';
import { toMajorUnits } from '@donation-form/core/money';
import { GiftStatus } from '@donation-form/platform-clients/fundraising';
import type { OutboxEntry } from '../database/schema.ts';
import { PollingWorker } from '../jobs/polling-worker.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import { normalizeEmail } from '../lib/normalize-email.ts';
import type { ApiQuota } from '../platform/api-quota.ts';
import {
  type GiftChange,
  GiftNotCreatedError,
  type PlatformAdapter,
} from '../platform/platform-adapter.ts';
import { DeliveryBackoff } from './delivery-backoff.ts';
import type { DonationRepository } from './donation-repository.ts';
import {
  decideAfterFailedCall,
  decideAfterNotFound,
  decideCreation,
  decideUpdate,
} from './outbox-decisions.ts';
import type { DueEntry } from './outbox-repository.ts';
import { isPartialRefund, toGiftChange, toRenewalGift } from './to-gift-change.ts';
import { toPlatformGift } from './to-platform-gift.ts';
import { getDonationTotal } from './total.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Retry delay for an entry that waits for an earlier one, in milliseconds. */
const EARLIER_ENTRY_DELAY = 2 * SECOND;
/** Retry delay for an entry about a gift that is not on the platform yet, in milliseconds. */
const GIFT_ID_POLL_INTERVAL = MINUTE;
/** Number of failures after which the relay tries another entry, to find the cause. */
const PROBE_AFTER_FAILURES = 4;
const NO_LOOKUP = 'the platform cannot look up gifts';
const NEVER_RECEIVED = 'the donation failed before the platform received it';
const NOT_SETTLED = 'the platform will receive the donation after the payment settles';
export const NO_PLATFORM = 'no platform was configured';

/** The platform may nevertheless have processed the call. */
function describeFailedCall(error: unknown): string {
  const { status, code, cause, error: name } = describeError(error);
  if (status !== undefined) return `responded with status ${status}`;
  if ([name, cause].includes('TimeoutError')) return 'did not respond in time';
  if (code !== undefined) return `the connection failed (${code})`;
  return cleanLine((error as Error).message).slice(0, 200);
}

/** Returns the same key for all entries of a donor or, without an email, of a donation. */
function identifyDonor({ donorEmail, parentReference, reference }: DueEntry): string {
  return donorEmail ? normalizeEmail(donorEmail) : (parentReference ?? reference);
}

export interface OutboxRelayOptions {
  readonly organization: string;
  readonly repository: DonationRepository;
  readonly platform: () => PlatformAdapter;
  readonly quota: () => ApiQuota;
  readonly log: Logger;
  readonly now: () => number;
}

/** Sends one donor's entries in order, so that the platform creates no contact twice. */
export class OutboxRelay {
  readonly #options: OutboxRelayOptions;
  readonly #outbox: DonationRepository['outbox'];
  readonly #worker: PollingWorker<DueEntry>;
  readonly backoff: DeliveryBackoff;
  #deliveredCount = 0;
  /** True while the relay determines whether a failed entry or the platform is the cause. */
  #isProbing = false;
  /** IDs of entries sent as probes, of whose state the worker may have an old copy. */
  readonly #probedEntries = new Set<string>();
  readonly #inProgress = new Map<string, Promise<void>>();
  constructor(options: OutboxRelayOptions) {
    const { organization, repository, quota, now } = options;
    this.#options = options;
    this.#outbox = repository.outbox;
    this.backoff = new DeliveryBackoff(quota, now);
    this.#worker = new PollingWorker({
      ...options,
      listDue: (limit) => this.#listDueEntries(limit),
      findNextDueTime: () => this.#outbox.findNextDueTime(organization),
      claim: repository.isShared ? (entry) => this.#outbox.claimEntry(entry) : undefined,
      handle: (entry) => this.#handleDueEntry(entry),
      getConcurrency: () => (this.#isProbing ? 0 : this.backoff.concurrency),
      getGroup: identifyDonor,
      getEarliestRunTime: () => this.backoff.earliestCallTime,
    });
  }

  wakeWorker(): Promise<void> {
    return this.#worker.wake();
  }

  /** Sends due entries. @returns the number of entries sent. */
  sendDueEntries(stop: AbortSignal): Promise<number> {
    return this.#worker.handleDueRows(stop, () => this.#deliveredCount);
  }

  stopWorker(): Promise<void> {
    return this.#worker.stop();
  }

  async #listDueEntries(limit: number): Promise<readonly DueEntry[]> {
    const { organization, repository } = this.#options;
    this.#probedEntries.clear();
    const entries = await this.#outbox.listDueEntries(organization, limit);
    if (!repository.isShared || entries.length === 0) return entries;
    const claimed = await this.#outbox.listClaimedEntries(organization);
    const busyDonors = new Set(claimed.map(identifyDonor));
    return entries.filter((entry) => !busyDonors.has(identifyDonor(entry)));
  }

  /** Remembers the delivery while it runs, because a probe waits for it. */
  async #handleDueEntry(entry: OutboxEntry): Promise<void> {
    const delivery = this.#deliverEntry(entry);
    this.#inProgress.set(entry.id, delivery);
    try {
      await delivery;
    } finally {
      this.#inProgress.delete(entry.id);
    }
  }

  async #deliverEntry(queued: OutboxEntry): Promise<void> {
    const entry = this.#probedEntries.has(queued.id)
      ? await this.#outbox.findById(queued.id)
      : queued;
    if (entry?.status !== 'pending') return;
    const { kind } = entry;
    const { isNone, acceptsOnlySettledGifts } = this.#options.platform();
    if (isNone) {
      this.#deliveredCount += 1;
      return this.#outbox.markDeliveredAsUnnecessary(entry, NO_PLATFORM);
    }
    if (kind === 'donation' || kind === 'renewal') return this.#createGift(entry);
    if (acceptsOnlySettledGifts && kind === 'payment_settled') return this.#createGift(entry);
    if (acceptsOnlySettledGifts && kind === 'payment_failed')
      return this.#outbox.markDeliveredAsUnnecessary(entry, NEVER_RECEIVED);
    return this.#sendGiftUpdate(kind, entry);
  }

  async #createGift(entry: OutboxEntry): Promise<void> {
    const { now } = this.#options;
    const platform = this.#options.platform();
    let startedAt = entry.dispatchedAt;
    const abilities = {
      isCreateIdempotent: platform.isCreateIdempotent === true,
      hasLookup: platform.findGiftId !== undefined,
    };
    let isCreating = false;
    try {
      const gift = await this.#buildGift(entry);
      if (typeof gift === 'string') return await this.#outbox.markForReview(entry, 'manual', gift);
      if (platform.acceptsOnlySettledGifts && gift.giftStatus !== GiftStatus.Approved)
        return await this.#outbox.markDeliveredAsUnnecessary(
          entry,
          gift.giftStatus === GiftStatus.Declined ? NEVER_RECEIVED : NOT_SETTLED,
        );
      const creation = decideCreation(entry, abilities);
      if (creation === 'review')
        return await this.#outbox.markForReview(
          entry,
          'needs_review',
          `${NO_LOOKUP}, and ${await this.#describeEarlierCall(entry)}`,
        );
      if (creation === 'find') {
        const lookedUpAt = now();
        const id = await platform.findGiftId!(entry.reference);
        if (id !== undefined) return await this.#markDelivered(entry, id);
        const next = decideAfterNotFound(entry.dispatchedAt!, lookedUpAt, platform.findDelay);
        startedAt = next.dispatchedAt;
        if (next.type === 'postpone')
          return await this.#outbox.postponeEntry(entry, {
            dueAt: next.dueAt,
            error: entry.lastError,
            dispatchedAt: startedAt,
          });
      }
      startedAt = now();
      if (!(await this.#outbox.markDispatched(entry))) return;
      isCreating = true;
      const id = await platform.createGift(gift);
      isCreating = false;
      await this.#markDelivered(entry, id ?? null);
    } catch (error) {
      const next = decideAfterFailedCall(
        entry,
        { isCreating, isNotCreated: error instanceof GiftNotCreatedError, startedAt },
        abilities,
      );
      await (next.type === 'review'
        ? this.#requestReview(entry, error)
        : this.#scheduleRetry(entry, error, next.dispatchedAt));
    }
  }

  async #requestReview(entry: OutboxEntry, error: unknown): Promise<void> {
    this.backoff.recordFailure();
    await this.backoff.start({ isLimited: false });
    this.#options.log.error(
      { reference: entry.reference, event: entry.kind, ...describeError(error) },
      'donation needs review: the platform may have recorded it but cannot look up gifts',
    );
    await this.#outbox.markForReview(
      { ...entry, attempts: entry.attempts + 1 },
      'needs_review',
      `${NO_LOOKUP}, and ${describeFailedCall(error)}`,
    );
  }

  async #describeEarlierCall(entry: OutboxEntry): Promise<string> {
    const { lastError: error, dispatchedAt: at, payload } = entry;
    if (error !== null) return `an earlier call failed: ${error}`;
    if (at === payload.at) return 'the payment provider reported the renewal late';
    const { restoredAt } = await this.#getFirstDonation(entry);
    return at === restoredAt
      ? 'the database was restored from a backup'
      : 'the server stopped during the call, or the database was restored from a backup';
  }

  /** @returns the gift, or the reason why a person must enter it manually. */
  async #buildGift(entry: OutboxEntry): Promise<ReturnType<typeof toPlatformGift> | string> {
    const first = await this.#getFirstDonation(entry);
    if (first.donorDeletedAt !== null)
      return (
        'the donor data was deleted before the platform received the donation; ' +
        'enter the donation without a donor'
      );
    if (entry.kind !== 'renewal') return toPlatformGift(first);
    const { total, currency, decimals } = getDonationTotal(first);
    const { amount } = entry.payload;
    return amount === total
      ? toRenewalGift(entry, first)
      : `the payment provider charged ${toMajorUnits(amount!, decimals)} ${currency} for the ` +
          `renewal; expected ${toMajorUnits(total, decimals)} ${currency}`;
  }

  async #sendGiftUpdate(kind: GiftChange['kind'], entry: OutboxEntry): Promise<void> {
    const { now } = this.#options;
    const platform = this.#options.platform();
    try {
      const gift = await this.#outbox.findGiftCreation(entry.reference);
      if (gift?.lastError === NO_PLATFORM)
        return kind === 'payment_failed'
          ? await this.#outbox.markDeliveredAsUnnecessary(entry, NEVER_RECEIVED)
          : await this.#outbox.markForReview(
              entry,
              'manual',
              'the donation was made before the platform was connected',
            );
      const first = await this.#getFirstDonation(entry);
      const step = decideUpdate(gift, first, platform.updateGift !== undefined);
      if (step === 'unnecessary')
        return await this.#outbox.markDeliveredAsUnnecessary(entry, NEVER_RECEIVED);
      if (step === 'manual')
        return await this.#outbox.markForReview(
          entry,
          'manual',
          'the platform adapter does not support gift updates',
        );
      if (await this.#outbox.hasEarlierPendingEntry(entry))
        return await this.#outbox.postponeEntry(entry, {
          dueAt: now() + EARLIER_ENTRY_DELAY,
          error: entry.lastError,
          dispatchedAt: null,
        });
      if (step === 'wait')
        return await this.#outbox.postponeEntry(entry, {
          dueAt: now() + (gift?.status === 'pending' ? EARLIER_ENTRY_DELAY : GIFT_ID_POLL_INTERVAL),
          error: 'the gift is not on the platform yet',
          dispatchedAt: null,
        });
      const history = {
        total: getDonationTotal(first, gift).total,
        events: await this.#outbox.listEntries(entry.reference),
      };
      if (platform.refundsOnlyWholeGifts === true && isPartialRefund(entry, history))
        return await this.#outbox.markForReview(
          entry,
          'manual',
          'the platform cannot record a partial refund; reduce the gift amount there or add a note',
        );
      await platform.updateGift!(toGiftChange(kind, entry, first, gift!.platformGiftId!, history));
      await this.#markDelivered(entry, null);
    } catch (error) {
      await this.#scheduleRetry(entry, error, null);
    }
  }

  async #getFirstDonation({ reference, parentReference: parent }: OutboxEntry) {
    const first = await this.#options.repository.findByReference(parent ?? reference);
    if (!first) throw new Error(`donation ${parent ?? reference} not found`);
    return first;
  }

  async #markDelivered(entry: OutboxEntry, platformId: string | null): Promise<void> {
    this.#deliveredCount += 1;
    await this.#outbox.markDelivered(entry, platformId);
    await this.backoff.recordSuccess();
  }

  /**
   * If the platform rejected the gift, only this entry waits: for 2, 4, 8 … seconds, up to one
   * hour. After any other error, all entries wait until the backoff ends. If an entry has failed
   * repeatedly and the platform accepts another entry, only the failed entry waits.
   */
  async #scheduleRetry(
    entry: OutboxEntry,
    error: unknown,
    dispatchedAt: number | null,
  ): Promise<void> {
    const { log, now } = this.#options;
    const {
      isRejected = false,
      isKeyRejected = false,
      isDeferred = false,
      retryAt,
      isLimited = false,
    } = error instanceof GiftNotCreatedError ? error.rejection : {};
    const shouldProbe =
      entry.attempts + 1 >= PROBE_AFTER_FAILURES && !isDeferred && !isLimited && !this.#isProbing;
    let dueAt = now();
    if (!isRejected) this.backoff.recordFailure();
    if (isRejected || (shouldProbe && (await this.#probePlatform(entry)))) {
      dueAt = now() + Math.min(2 ** (entry.attempts + 1) * SECOND, HOUR);
    } else if (isDeferred) {
      this.backoff.defer(retryAt!);
    } else {
      await this.backoff.start({ retryAt, isLimited, isKeyRejected });
    }
    log.warn(
      {
        organization: entry.organization,
        reference: entry.reference,
        event: entry.kind,
        ...describeError(error),
        retryAt: new Date(Math.max(dueAt, this.backoff.earliestCallTime)).toISOString(),
      },
      'cannot send an event to the platform; will retry',
    );
    await this.#outbox.postponeEntry(entry, {
      dueAt,
      error: cleanLine(String(error)).slice(0, 300),
      dispatchedAt,
    });
  }

  /**
   * Waits for the entries in progress. If they do not show whether the platform responds, sends a
   * due entry for another donation.
   * @returns true if the platform accepted another entry.
   */
  async #probePlatform(entry: OutboxEntry): Promise<boolean> {
    const countBefore = this.#deliveredCount;
    this.#isProbing = true;
    try {
      const others = [...this.#inProgress].filter(([id]) => id !== entry.id);
      await Promise.allSettled(others.map(([, delivery]) => delivery));
      if (this.#deliveredCount > countBefore || this.backoff.isActive)
        return this.#deliveredCount > countBefore;
      const found = await this.#outbox.findDueEntryOfOtherDonation(entry);
      const other =
        found && this.#options.repository.isShared ? await this.#outbox.claimEntry(found) : found;
      if (!other) return false;
      this.#probedEntries.add(other.id);
      await this.#deliverEntry(other);
      return this.#deliveredCount > countBefore;
    } finally {
      this.#isProbing = false;
    }
  }
}

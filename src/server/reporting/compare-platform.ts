import { toMajorUnits } from '@donation-form/core/money';
import {
  GiftNotCreatedError,
  type ListedPlatformGift,
  type PlatformReader,
} from '../platform/platform-adapter.ts';
import type { OutboxEntry } from '../database/schema.ts';
import { getDonationStatus, getExpectedGiftStatus, type LedgerEntry } from './ledger-entries.ts';
import {
  createMismatchFinding,
  createDuplicateFinding,
  isRecent,
  createMissingFinding,
  createInProgressFinding,
  type Finding,
} from './differences.ts';
import type { Period } from '../lib/period.ts';
import { DEFAULT_FIND_DELAY } from '../donations/outbox-decisions.ts';
import { isGiftCreation } from '../donations/review-options.ts';
import { getGiftStatusName } from './ledger-rows.ts';

/**
 * Maximum number of gift lookups per report. Lookups and new gifts count toward the same hourly
 * quota.
 */
const MAX_LOOKUPS = 300;

/** Looks up gifts one at a time, up to a limit. Stops after the first error. */
export class GiftLookup {
  readonly #reader: PlatformReader;
  #remaining = MAX_LOOKUPS;
  /** Number of gifts that the platform did not list and that were not looked up. */
  omitted = 0;
  failure: string | undefined;

  constructor(reader: PlatformReader) {
    this.#reader = reader;
  }

  /** Time before the platform certainly finds a new gift, in milliseconds. */
  get delay(): number {
    return this.#reader.findDelay ?? DEFAULT_FIND_DELAY;
  }

  get isPossible(): boolean {
    return this.#reader.findGiftId !== undefined;
  }

  /**
   * Returns the platform's ID for a gift. Returns `null` if the platform does not have the gift, or
   * `undefined` if the gift was not looked up or the lookup failed.
   */
  async tryFindGiftId(reference: string): Promise<string | null | undefined> {
    if (this.#reader.findGiftId && this.#remaining > 0) {
      this.#remaining -= 1;
      try {
        return (await this.#reader.findGiftId(reference)) ?? null;
      } catch (error) {
        this.#remaining = 0;
        if (!(error instanceof GiftNotCreatedError && (error.isLimited || error.isDeferred)))
          this.failure = (error as Error).name;
      }
    }
    return undefined;
  }
}

export interface PlatformComparisonOptions {
  /**
   * Function that finds the platform's listed gifts by reference, and the period that the list
   * covers. Undefined if the platform cannot list gifts.
   */
  readonly listed?:
    | {
        readonly findGifts: (reference: string) => readonly ListedPlatformGift[];
        readonly period: Period;
      }
    | undefined;
  readonly lookup: GiftLookup;
  readonly now: number;
}

/** Compares a donation or renewal with the platform's gifts that have the same reference. */
export async function compareWithPlatform(
  entry: LedgerEntry,
  options: PlatformComparisonOptions,
): Promise<Finding[]> {
  const { reference, events } = entry;
  const giftEvent = events.find(isGiftCreation);
  const listedGifts = options.listed?.findGifts(reference) ?? [];
  if (!giftEvent)
    return listedGifts.length === 0
      ? []
      : [
          createMismatchFinding(
            'platform',
            reference,
            'status',
            'recorded',
            getDonationStatus(entry),
          ),
        ];
  if (giftEvent.status !== 'delivered')
    return [
      replaceRecentFinding(
        giftEvent,
        options.now,
        createMissingFinding(
          'platform',
          reference,
          'donation',
          describeUndeliveredEvent(giftEvent),
          toMajorUnits(entry.total, entry.decimals),
        ),
      ),
    ];
  const changes = events
    .filter((event) => event !== giftEvent && event.status !== 'delivered')
    .map((event) =>
      replaceRecentFinding(
        event,
        options.now,
        createMismatchFinding(
          'platform',
          reference,
          event.kind,
          describeUndeliveredEvent(event),
          'delivered',
        ),
      ),
    );
  return [
    ...changes,
    ...(await compareRecordedGift(entry, giftEvent, listedGifts, options, changes.length === 0)),
  ];
}

/**
 * Compares a donation or renewal that was delivered to the platform with the platform's gift.
 * @param isSettled true if all events of the donation or renewal were delivered to the platform.
 */
async function compareRecordedGift(
  entry: LedgerEntry,
  giftEvent: OutboxEntry,
  listedGifts: readonly ListedPlatformGift[],
  { listed, lookup, now }: PlatformComparisonOptions,
  isSettled: boolean,
): Promise<Finding[]> {
  const { reference, total, decimals, currency } = entry;
  const [gift] = listedGifts;
  if (listedGifts.length > 1)
    return [
      createDuplicateFinding(
        'platform',
        reference,
        listedGifts.map(({ platformId }) => platformId).join(', '),
      ),
    ];
  if (!gift) {
    const id = await lookup.tryFindGiftId(reference);
    if (id === null && now - giftEvent.updatedAt < lookup.delay)
      return [createInProgressFinding(reference, 'the platform may not find the gift yet')];
    const wasListed =
      listed !== undefined &&
      listed.period.from <= giftEvent.updatedAt &&
      giftEvent.updatedAt < listed.period.to;
    if (id === null || (id === undefined && wasListed))
      return [
        createMissingFinding(
          'platform',
          reference,
          'donation',
          'no gift with this reference',
          giftEvent.platformGiftId ?? 'recorded',
        ),
      ];
    if (id === undefined) lookup.omitted += 1;
    return compareGiftIds(reference, id, giftEvent);
  }
  const findings = compareGiftIds(reference, gift.platformId, giftEvent);
  const expected = toMajorUnits(total, decimals);
  const status = getExpectedGiftStatus(entry);
  if (gift.total !== undefined && Number(gift.total).toFixed(decimals) !== expected)
    findings.push(createMismatchFinding('platform', reference, 'amount', gift.total, expected));
  if (gift.currency !== undefined && gift.currency !== currency)
    findings.push(
      createMismatchFinding('platform', reference, 'currency', gift.currency, currency),
    );
  if (isSettled && gift.status !== undefined && status !== undefined && gift.status !== status)
    findings.push(
      createMismatchFinding(
        'platform',
        reference,
        'status',
        getGiftStatusName(gift.status),
        getGiftStatusName(status),
      ),
    );
  return findings;
}

/** Returns a mismatch if the platform and the database both have a gift ID and the IDs differ. */
function compareGiftIds(
  reference: string,
  found: string | undefined,
  { platformGiftId: expected }: OutboxEntry,
): Finding[] {
  return found === undefined || expected === null || found === expected
    ? []
    : [createMismatchFinding('platform', reference, 'id', found, expected)];
}

function replaceRecentFinding(event: OutboxEntry, now: number, finding: Finding): Finding {
  return event.status === 'pending' && isRecent(event.createdAt, now)
    ? createInProgressFinding(event.reference, `not sent to the platform yet: ${event.kind}`)
    : finding;
}

/** Descriptions of undelivered events, by event status. */
const UNDELIVERED_REASONS: Partial<Readonly<Record<OutboxEntry['status'], string>>> = {
  pending: 'not sent yet',
  needs_review: 'needs review',
};

function describeUndeliveredEvent({ status, lastError: error }: OutboxEntry): string {
  const reason = UNDELIVERED_REASONS[status] ?? 'needs manual entry';
  return error === null ? reason : `${reason}: ${error}`;
}

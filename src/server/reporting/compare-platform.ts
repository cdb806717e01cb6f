import { toMajorUnits } from '@donation-form/core/money';
import type { OutboxEntry } from '../database/schema.ts';
import { DEFAULT_FIND_DELAY } from '../donations/outbox-decisions.ts';
import { isGiftCreation } from '../donations/review-options.ts';
import type { Period } from '../lib/period.ts';
import {
  GiftNotCreatedError,
  type ListedPlatformGift,
  type PlatformReader,
} from '../platform/platform-adapter.ts';
import { createFindings, type Finding, isRecent } from './differences.ts';
import { getDonationStatus, getExpectedGiftStatus, type LedgerEntry } from './ledger-entries.ts';
import { getGiftStatusName } from './ledger-rows.ts';

/** Lookups per report, which count toward the same hourly quota as new gifts. */
const MAX_LOOKUPS = 300;

/** Looks up gifts one at a time, up to a limit. Stops after the first error. */
export class GiftLookup {
  readonly #reader: PlatformReader;
  #remaining = MAX_LOOKUPS;
  /** Gifts that were neither listed nor looked up. */
  omitted = 0;
  failure: string | undefined;

  constructor(reader: PlatformReader) {
    this.#reader = reader;
  }

  /** Milliseconds. */
  get delay(): number {
    return this.#reader.findDelay ?? DEFAULT_FIND_DELAY;
  }

  /** Returns `null` for a missing gift, or `undefined` if it was not looked up. */
  async tryFindGiftId(reference: string): Promise<string | null | undefined> {
    if (this.#reader.findGiftId && this.#remaining > 0) {
      this.#remaining -= 1;
      try {
        return (await this.#reader.findGiftId(reference)) ?? null;
      } catch (error) {
        this.#remaining = 0;
        if (!(
          error instanceof GiftNotCreatedError &&
          (error.rejection.isLimited || error.rejection.isDeferred)
        ))
          this.failure = (error as Error).name;
      }
    }
    return undefined;
  }
}

export interface PlatformComparisonOptions {
  /** The platform's gifts and the listed period. Undefined if the platform cannot list gifts. */
  readonly listed?:
    | {
        readonly findGifts: (reference: string) => readonly ListedPlatformGift[];
        readonly period: Period;
      }
    | undefined;
  readonly lookup: GiftLookup;
  readonly now: number;
}

export async function compareWithPlatform(
  entry: LedgerEntry,
  options: PlatformComparisonOptions,
): Promise<Finding[]> {
  const { reference, events } = entry;
  const { createMismatch, createMissing } = createFindings(reference);
  const giftEvent = events.find(isGiftCreation);
  const listedGifts = options.listed?.findGifts(reference) ?? [];
  if (!giftEvent)
    return listedGifts.length === 0
      ? []
      : [createMismatch('platform', 'status', 'recorded', getDonationStatus(entry))];
  if (giftEvent.status !== 'delivered') {
    const found = describeUndeliveredEvent(giftEvent);
    const total = toMajorUnits(entry.total, entry.decimals);
    const missing = createMissing('platform', 'donation', found, total);
    return [replaceRecentFinding(giftEvent, options.now, missing)];
  }
  const changes = events
    .filter((event) => event !== giftEvent && event.status !== 'delivered')
    .map((event) => {
      const found = describeUndeliveredEvent(event);
      const mismatch = createMismatch('platform', event.kind, found, 'delivered');
      return replaceRecentFinding(event, options.now, mismatch);
    });
  return [
    ...changes,
    ...(await compareRecordedGift(entry, giftEvent, listedGifts, options, changes.length === 0)),
  ];
}

/** @param isSettled true if all of the entry's events were delivered to the platform. */
async function compareRecordedGift(
  entry: LedgerEntry,
  giftEvent: OutboxEntry,
  listedGifts: readonly ListedPlatformGift[],
  { listed, lookup, now }: PlatformComparisonOptions,
  isSettled: boolean,
): Promise<Finding[]> {
  const { reference, total, decimals, currency } = entry;
  const { createDuplicate, createInProgress, createMismatch, createMissing } =
    createFindings(reference);
  const { platformGiftId, updatedAt } = giftEvent;
  const compareIds = (found: string | undefined): Finding[] =>
    found === undefined || platformGiftId === null || found === platformGiftId
      ? []
      : [createMismatch('platform', 'id', found, platformGiftId)];
  const [gift] = listedGifts;
  if (listedGifts.length > 1) {
    const ids = listedGifts.map(({ platformId }) => platformId).join(', ');
    return [createDuplicate('platform', ids)];
  }
  if (!gift) {
    const id = await lookup.tryFindGiftId(reference);
    if (id === null && now - updatedAt < lookup.delay)
      return [createInProgress('the platform may not find the gift yet')];
    const wasListed =
      listed !== undefined && listed.period.from <= updatedAt && updatedAt < listed.period.to;
    if (id === null || (id === undefined && wasListed)) {
      const found = 'no gift with this reference';
      return [createMissing('platform', 'donation', found, platformGiftId ?? 'recorded')];
    }
    if (id === undefined) lookup.omitted += 1;
    return compareIds(id);
  }
  const findings = compareIds(gift.platformId);
  const expected = toMajorUnits(total, decimals);
  const status = getExpectedGiftStatus(entry);
  if (gift.total !== undefined && Number(gift.total).toFixed(decimals) !== expected)
    findings.push(createMismatch('platform', 'amount', gift.total, expected));
  if (gift.currency !== undefined && gift.currency !== currency)
    findings.push(createMismatch('platform', 'currency', gift.currency, currency));
  if (isSettled && gift.status !== undefined && status !== undefined && gift.status !== status) {
    const names = [gift.status, status].map(getGiftStatusName) as [string, string];
    findings.push(createMismatch('platform', 'status', ...names));
  }
  return findings;
}

function replaceRecentFinding(event: OutboxEntry, now: number, finding: Finding): Finding {
  return event.status === 'pending' && isRecent(event.createdAt, now)
    ? createFindings(event.reference).createInProgress(
        `not sent to the platform yet: ${event.kind}`,
      )
    : finding;
}

const UNDELIVERED_REASONS: Partial<Readonly<Record<OutboxEntry['status'], string>>> = {
  pending: 'not sent yet',
  needs_review: 'needs review',
};

function describeUndeliveredEvent({ status, lastError: error }: OutboxEntry): string {
  const reason = UNDELIVERED_REASONS[status] ?? 'needs manual entry';
  return error === null ? reason : `${reason}: ${error}`;
}

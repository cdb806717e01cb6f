import { toMajorUnits } from '@donation-form/core/money';
import {
  GiftRejectedError,
  type ListedPlatformGift,
  type PlatformReader,
} from '../platform/platform-adapter.ts';
import type { OutboxEvent } from '../database/schema.ts';
import { getDonationStatus, getCurrentGiftStatus, type LedgerEntry } from './ledger-entries.ts';
import { mismatch, duplicate, isRecent, missing, inProgress, type Finding } from './differences.ts';
import type { Period } from '../lib/period.ts';
import { formatGiftStatus } from './ledger-rows.ts';

/**
 * Maximum number of individual lookups per report. Each one uses the same hourly quota as new
 * gifts.
 */
const MAX_LOOKUPS = 300;

/** Looks up individual gifts until the limit is reached. */
export class GiftLookup {
  readonly #reader: PlatformReader;
  #left = MAX_LOOKUPS;
  /** Number of gifts that were neither listed nor looked up. */
  omitted = 0;
  failure: string | undefined;

  constructor(reader: PlatformReader) {
    this.#reader = reader;
  }

  get isPossible(): boolean {
    return this.#reader.findGift !== undefined;
  }

  /** Returns the platform's ID, `null` if it has no such gift, or `undefined` if not looked up. */
  async find(reference: string): Promise<number | null | undefined> {
    if (this.#reader.findGift && this.#left > 0) {
      this.#left -= 1;
      try {
        return (await this.#reader.findGift(reference)) ?? null;
      } catch (error) {
        this.#left = 0;
        if (!(error instanceof GiftRejectedError && (error.isLimited || error.isDeferred)))
          this.failure = (error as Error).name;
      }
    }
    return undefined;
  }
}

export interface PlatformComparisonOptions {
  /**
   * Listed gifts by reference, and the period listed. Absent if the platform cannot list gifts.
   */
  readonly listed?:
    | {
        readonly giftsUnder: (reference: string) => readonly ListedPlatformGift[];
        readonly period: Period;
      }
    | undefined;
  readonly lookUps: GiftLookup;
  readonly now: number;
}

/** Compares a donation or renewal with the platform's gifts under its reference. */
export async function comparePlatform(
  entry: LedgerEntry,
  side: PlatformComparisonOptions,
): Promise<Finding[]> {
  const { reference, events } = entry;
  const told = events.find(({ kind }) => kind === 'donation' || kind === 'renewal');
  const known = side.listed?.giftsUnder(reference) ?? [];
  if (!told)
    return known.length === 0
      ? []
      : [mismatch('platform', reference, 'status', 'recorded', getDonationStatus(entry))];
  if (told.status !== 'delivered')
    return [
      toUndeliveredFinding(
        told,
        side.now,
        missing(
          'platform',
          reference,
          'gift',
          describeUndelivered(told),
          toMajorUnits(entry.total, entry.decimals),
        ),
      ),
    ];
  const changes = events
    .filter((event) => event !== told && event.status !== 'delivered')
    .map((event) =>
      toUndeliveredFinding(
        event,
        side.now,
        mismatch('platform', reference, event.kind, describeUndelivered(event), 'told'),
      ),
    );
  return [...changes, ...(await compareRecorded(entry, told, known, side, changes.length === 0))];
}

/** @param isSettled all events were delivered to the platform. */
async function compareRecorded(
  entry: LedgerEntry,
  told: OutboxEvent,
  known: readonly ListedPlatformGift[],
  { listed, lookUps }: PlatformComparisonOptions,
  isSettled: boolean,
): Promise<Finding[]> {
  const { reference, total, decimals, currency } = entry;
  const [one] = known;
  if (known.length > 1)
    return [duplicate('platform', reference, known.map(({ platformId }) => platformId).join(', '))];
  if (!one) {
    const id = await lookUps.find(reference);
    const wasListed =
      listed !== undefined &&
      listed.period.from <= told.updated_at &&
      told.updated_at < listed.period.to;
    if (id === null || (id === undefined && wasListed))
      return [
        missing(
          'platform',
          reference,
          'gift',
          'nothing under this reference',
          String(told.platform_gift_id ?? 'recorded'),
        ),
      ];
    if (id === undefined) lookUps.omitted += 1;
    return compareIds(reference, id, told);
  }
  const findings = compareIds(reference, one.platformId, told);
  const expected = toMajorUnits(total, decimals);
  const status = getCurrentGiftStatus(entry);
  if (one.total !== undefined && Number(one.total).toFixed(decimals) !== expected)
    findings.push(mismatch('platform', reference, 'amount', one.total, expected));
  if (one.currency !== undefined && one.currency !== currency)
    findings.push(mismatch('platform', reference, 'currency', one.currency, currency));
  if (isSettled && one.status !== undefined && status !== undefined && one.status !== status)
    findings.push(
      mismatch(
        'platform',
        reference,
        'status',
        formatGiftStatus(one.status),
        formatGiftStatus(status),
      ),
    );
  return findings;
}

/** Reports a mismatch if both sides have an ID and the IDs differ. */
function compareIds(
  reference: string,
  found: number | undefined,
  { platform_gift_id: expected }: OutboxEvent,
): Finding[] {
  return found === undefined || expected === null || found === expected
    ? []
    : [mismatch('platform', reference, 'id', String(found), String(expected))];
}

function toUndeliveredFinding(event: OutboxEvent, now: number, finding: Finding): Finding {
  return event.status === 'pending' && isRecent(event.created_at, now)
    ? inProgress(event.reference, `the platform is to be told: ${event.kind}`)
    : finding;
}

/** Why an event has not been delivered. */
const UNDELIVERED_REASONS: Partial<Readonly<Record<OutboxEvent['status'], string>>> = {
  pending: 'not told yet',
  needs_review: 'held for a person',
};

function describeUndelivered({ status, last_error: why }: OutboxEvent): string {
  const words = UNDELIVERED_REASONS[status] ?? 'to be entered by hand';
  return why === null ? words : `${words}: ${why}`;
}

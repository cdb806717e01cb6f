import { majorUnits } from '@donation-form/core/money';
import {
  GiftRejectedError,
  type ListedPlatformGift,
  type PlatformReader,
} from '../platform/platform-adapter.ts';
import type { EventRow } from '../database/schema.ts';
import { stateOf, statusOf, type Entry } from './ledger-entries.ts';
import { mismatch, duplicate, isRecent, missing, inProgress, type Finding } from './differences.ts';
import type { Period } from '../lib/period.ts';
import { nameOf } from './ledger-rows.ts';

/**
 * How many gifts a report looks up one by one: each is one of the calls of an hour that gifts need
 * too.
 */
const MOST_LOOK_UPS = 300;

/** Asks the platform for single gifts, as long as there are calls left for it. */
export class LookUps {
  readonly #reader: PlatformReader;
  #left = MOST_LOOK_UPS;
  /** How many gifts were neither listed nor looked up. */
  omitted = 0;
  failure: string | undefined;

  constructor(reader: PlatformReader) {
    this.#reader = reader;
  }

  get isPossible(): boolean {
    return this.#reader.findGift !== undefined;
  }

  /** @returns the platform's id; `null` where it has none; `undefined` where it was not asked. */
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

export interface PlatformSide {
  /**
   * What the platform lists under a reference, and of which time; absent where it lists nothing.
   */
  readonly listed?:
    | {
        readonly giftsUnder: (reference: string) => readonly ListedPlatformGift[];
        readonly period: Period;
      }
    | undefined;
  readonly lookUps: LookUps;
  readonly now: number;
}

/** Compares a gift or renewal with what the platform has under its reference. */
export async function comparePlatform(entry: Entry, side: PlatformSide): Promise<Finding[]> {
  const { reference, events } = entry;
  const told = events.find(({ kind }) => kind === 'gift' || kind === 'renewal');
  const known = side.listed?.giftsUnder(reference) ?? [];
  if (!told)
    return known.length === 0
      ? []
      : [mismatch('platform', reference, 'status', 'recorded', stateOf(entry))];
  if (told.state !== 'recorded')
    return [
      untold(
        told,
        side.now,
        missing(
          'platform',
          reference,
          'gift',
          wordsOf(told),
          majorUnits(entry.total, entry.decimals),
        ),
      ),
    ];
  const changes = events
    .filter((event) => event !== told && event.state !== 'recorded')
    .map((event) =>
      untold(event, side.now, mismatch('platform', reference, event.kind, wordsOf(event), 'told')),
    );
  return [...changes, ...(await compareRecorded(entry, told, known, side, changes.length === 0))];
}

/** @param isSettled the platform was told all that there is. */
async function compareRecorded(
  entry: Entry,
  told: EventRow,
  known: readonly ListedPlatformGift[],
  { listed, lookUps }: PlatformSide,
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
  const expected = majorUnits(total, decimals);
  const status = statusOf(entry);
  if (one.total !== undefined && Number(one.total).toFixed(decimals) !== expected)
    findings.push(mismatch('platform', reference, 'amount', one.total, expected));
  if (one.currency !== undefined && one.currency !== currency)
    findings.push(mismatch('platform', reference, 'currency', one.currency, currency));
  if (isSettled && one.status !== undefined && status !== undefined && one.status !== status)
    findings.push(mismatch('platform', reference, 'status', nameOf(one.status), nameOf(status)));
  return findings;
}

/** Where an id is known on both sides, it has to be the same. */
function compareIds(
  reference: string,
  found: number | undefined,
  { platform_gift_id: expected }: EventRow,
): Finding[] {
  return found === undefined || expected === null || found === expected
    ? []
    : [mismatch('platform', reference, 'id', String(found), String(expected))];
}

function untold(event: EventRow, now: number, finding: Finding): Finding {
  return event.state === 'waiting' && isRecent(event.created_at, now)
    ? inProgress(event.reference, `the platform is to be told: ${event.kind}`)
    : finding;
}

/** What an event that is not told waits for. */
const WAITS: Partial<Readonly<Record<EventRow['state'], string>>> = {
  waiting: 'not told yet',
  held: 'held for a person',
};

function wordsOf({ state, last_error: why }: EventRow): string {
  const words = WAITS[state] ?? 'to be entered by hand';
  return why === null ? words : `${words}: ${why}`;
}

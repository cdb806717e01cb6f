import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { GiftStatus } from '@donation-form/platform-clients/fundraising';
import { giftStatusAfter, readDetail } from '../donations/event-mapper.ts';
import { totalOf } from '../donations/total.ts';
import type { EventRow, Donation, GiftState, Tables } from '../database/schema.ts';
import type { Period } from '../lib/period.ts';

/**
 * How many rows of the journal are held at a time. SQLite answers without a pause, so others are
 * let go on between pages.
 */
const PAGE = 200;

/** A gift or a renewal as the journal has it, with what happened to it since. */
export interface Entry {
  readonly reference: string;
  /** The gift; of a renewal the first one. */
  readonly first: Donation;
  /** Of a renewal: what made it known. */
  readonly renewal: EventRow | undefined;
  readonly provider: string;
  readonly paymentId: string | null;
  /** When it was accepted, or renewed: the time that decides which day it belongs to. */
  readonly at: number;
  /** Minor units. */
  readonly total: number;
  readonly currency: string;
  readonly decimals: number;
  /** What the platform is told of it: that it was given, and what happened since, in that order. */
  readonly events: readonly EventRow[];
}

type Books = Pick<Kysely<Tables>, 'selectFrom'>;

/** The gifts of a time and then the renewals, each by its own time, in pages. */
export async function* entriesOf(
  db: Books,
  organization: string,
  period: Period,
): AsyncGenerator<readonly Entry[]> {
  for await (const gifts of giftsOf(db, organization, period))
    yield await withEvents(
      db,
      gifts.map((first) => ({ first })),
    );
  for await (const renewals of renewalsOf(db, organization, period)) {
    const gifts = new Map(
      (
        await db
          .selectFrom('donations')
          .selectAll()
          .where(
            'reference',
            'in',
            renewals.map(({ parent }) => parent!),
          )
          .execute()
      ).map((row) => [row.reference, row]),
    );
    yield await withEvents(
      db,
      renewals.map((renewal) => ({ first: gifts.get(renewal.parent!)!, renewal })),
    );
  }
}

/**
 * The gifts that were accepted in a time, the oldest first, in pages.
 * @param isKept only those whose donor's data is kept.
 */
export async function* giftsOf(
  db: Books,
  organization: string,
  { from, to }: Period,
  { isKept = false } = {},
): AsyncGenerator<readonly Donation[]> {
  let last: Donation | undefined;
  for (;;) {
    let page = db
      .selectFrom('donations')
      .selectAll()
      .where('organization', '=', organization)
      .where('created_at', '>=', last?.created_at ?? from)
      .where('created_at', '<', to);
    if (isKept) page = page.where('redacted_at', 'is', null);
    if (last)
      page = page.where((build) =>
        build.or([
          build('created_at', '>', last!.created_at),
          build('reference', '>', last!.reference),
        ]),
      );
    const rows = await page.orderBy('created_at').orderBy('reference').limit(PAGE).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
    await setImmediate();
  }
}

async function* renewalsOf(
  db: Books,
  organization: string,
  { from, to }: Period,
): AsyncGenerator<readonly EventRow[]> {
  const renewals = db
    .selectFrom('outbox')
    .selectAll()
    .where('organization', '=', organization)
    .where('kind', '=', 'renewal');
  let last: EventRow | undefined;
  for (;;) {
    let page = renewals
      .where('happened_at', '>=', last?.happened_at ?? from)
      .where('happened_at', '<', to);
    if (last)
      page = page.where((build) =>
        build.or([build('happened_at', '>', last!.happened_at), build('id', '>', last!.id)]),
      );
    const rows = await page.orderBy('happened_at').orderBy('id').limit(PAGE).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
    await setImmediate();
  }
}

/** Entries with what happened to each. */
export async function withEvents(
  db: Books,
  given: readonly { readonly first: Donation; readonly renewal?: EventRow }[],
): Promise<Entry[]> {
  const references = given.map(({ first, renewal }) => renewal?.reference ?? first.reference);
  const events = new Map<string, EventRow[]>(references.map((reference) => [reference, []]));
  if (references.length > 0)
    for (const event of await db
      .selectFrom('outbox')
      .selectAll()
      .where('reference', 'in', references)
      .orderBy('created_at')
      .orderBy('id')
      .execute())
      events.get(event.reference)!.push(event);
  return given.map(({ first, renewal }, index) => {
    const reference = references[index]!;
    const { total, ...currency } = totalOf(first);
    return {
      reference,
      first,
      renewal,
      provider: first.payload.payment.provider,
      paymentId: renewal ? renewal.payment_id : first.payment_id,
      at: renewal ? renewal.happened_at : first.created_at,
      total: renewal ? (readDetail(renewal).amount ?? total) : total,
      ...currency,
      events: events.get(reference) ?? [],
    };
  });
}

/** What is known of an entry's payment. A renewal is known once it was paid. */
export function stateOf({ first, renewal }: Entry): GiftState {
  return renewal ? 'charged' : first.state;
}

const STATUS: Readonly<Partial<Record<GiftState, GiftStatus>>> = {
  charged: GiftStatus.Approved,
  pending: GiftStatus.Pending,
  declined: GiftStatus.Declined,
};

/**
 * What a gift is at the platform once it was told everything; `undefined` where the platform is not
 * to know of it.
 */
export function statusOf(entry: Entry): GiftStatus | undefined {
  return entry.events.reduce(
    (status, event) => giftStatusAfter(event, totalOf(entry.first).total) ?? status,
    STATUS[stateOf(entry)],
  );
}

/** All that was paid back and stayed so, minor units. */
export function refundedOf({ events }: Entry): number {
  const failed = new Set(
    events.flatMap(({ kind, id }) => (kind === 'refund-failed' ? [subjectOf(id)] : [])),
  );
  return events.reduce(
    (sum, event) =>
      sum +
      (event.kind === 'refund' && !failed.has(subjectOf(event.id))
        ? (readDetail(event).amount ?? 0)
        : 0),
    0,
  );
}

/** How the last of its disputes stands; `undefined` where there was none. */
export function disputeOf(events: readonly EventRow[]): 'open' | 'won' | 'lost' | undefined {
  const ends = new Map<string, 'won' | 'lost'>();
  for (const { kind, id } of events)
    if (kind === 'dispute-won' || kind === 'dispute-lost')
      ends.set(subjectOf(id), kind === 'dispute-won' ? 'won' : 'lost');
  const opened = events
    .filter(({ kind }) => kind === 'dispute-opened')
    .map(({ id }) => ends.get(subjectOf(id)) ?? 'open');
  return opened.find((state) => state === 'open') ?? opened.at(-1);
}

/** The refund or dispute that an event's name names: `refund re_1` is about `re_1`. */
function subjectOf(id: string): string {
  return id.slice(id.indexOf(' ') + 1);
}

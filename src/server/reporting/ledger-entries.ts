import type { DonationStatus } from '@donation-form/core/donation';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { GiftStatus } from '@donation-form/platform-clients/fundraising';
import { getGiftStatus } from '../donations/event-mapper.ts';
import { getTotal } from '../donations/total.ts';
import type { OutboxEvent, Donation, Tables } from '../database/schema.ts';
import type { Period } from '../lib/period.ts';

/**
 * How many rows of the database are held at a time. SQLite answers without a pause, so others are
 * let go on between pages.
 */
const PAGE = 200;

/** A gift or a renewal as the database has it, with what happened to it since. */
export interface LedgerEntry {
  readonly reference: string;
  /** The gift; of a renewal the first one. */
  readonly first: Donation;
  /** Of a renewal: what made it known. */
  readonly renewal: OutboxEvent | undefined;
  readonly provider: string;
  readonly paymentId: string | null;
  /** When it was accepted, or renewed: the time that decides which day it belongs to. */
  readonly at: number;
  /** Minor units. */
  readonly total: number;
  readonly currency: string;
  readonly decimals: number;
  /** What the platform is told of it: that it was given, and what happened since, in that order. */
  readonly events: readonly OutboxEvent[];
}

type LedgerDatabase = Pick<Kysely<Tables>, 'selectFrom'>;

/** The gifts of a time and then the renewals, each by its own time, in pages. */
export async function* listLedgerEntries(
  db: LedgerDatabase,
  organization: string,
  period: Period,
): AsyncGenerator<readonly LedgerEntry[]> {
  for await (const gifts of listDonations(db, organization, period))
    yield await loadLedgerEntries(
      db,
      gifts.map((first) => ({ first })),
    );
  for await (const renewals of listRenewals(db, organization, period)) {
    const gifts = new Map(
      (
        await db
          .selectFrom('donations')
          .selectAll()
          .where(
            'reference',
            'in',
            renewals.map(({ parent_reference: parent }) => parent!),
          )
          .execute()
      ).map((row) => [row.reference, row]),
    );
    yield await loadLedgerEntries(
      db,
      renewals.map((renewal) => ({ first: gifts.get(renewal.parent_reference!)!, renewal })),
    );
  }
}

/**
 * The gifts that were accepted in a time, the oldest first, in pages.
 * @param isKept only those whose donor's data is kept.
 */
export async function* listDonations(
  db: LedgerDatabase,
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

async function* listRenewals(
  db: LedgerDatabase,
  organization: string,
  { from, to }: Period,
): AsyncGenerator<readonly OutboxEvent[]> {
  const renewals = db
    .selectFrom('outbox')
    .selectAll()
    .where('organization', '=', organization)
    .where('kind', '=', 'renewal');
  let last: OutboxEvent | undefined;
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
export async function loadLedgerEntries(
  db: LedgerDatabase,
  given: readonly { readonly first: Donation; readonly renewal?: OutboxEvent }[],
): Promise<LedgerEntry[]> {
  const references = given.map(({ first, renewal }) => renewal?.reference ?? first.reference);
  const events = new Map<string, OutboxEvent[]>(references.map((reference) => [reference, []]));
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
    const { total, ...currency } = getTotal(first);
    return {
      reference,
      first,
      renewal,
      provider: first.payload.payment.provider,
      paymentId: renewal ? renewal.payment_id : first.payment_id,
      at: renewal ? renewal.happened_at : first.created_at,
      total: renewal ? (renewal.payload.amount ?? total) : total,
      ...currency,
      events: events.get(reference) ?? [],
    };
  });
}

/** What is known of an entry's payment. A renewal is known once it was paid. */
export function getDonationStatus({ first, renewal }: LedgerEntry): DonationStatus {
  return renewal ? 'succeeded' : first.status;
}

const STATUS: Readonly<Partial<Record<DonationStatus, GiftStatus>>> = {
  succeeded: GiftStatus.Approved,
  processing: GiftStatus.Pending,
  failed: GiftStatus.Declined,
};

/**
 * What a gift is at the platform once it was told everything; `undefined` where the platform is not
 * to know of it.
 */
export function getCurrentGiftStatus(entry: LedgerEntry): GiftStatus | undefined {
  return entry.events.reduce(
    (status, event) => getGiftStatus(event, getTotal(entry.first).total) ?? status,
    STATUS[getDonationStatus(entry)],
  );
}

/** All that was paid back and stayed so, minor units. */
export function sumRefunds({ events }: LedgerEntry): number {
  const failed = new Set(
    events.flatMap(({ kind, id }) => (kind === 'refund_failed' ? [parseSubjectId(id)] : [])),
  );
  return events.reduce(
    (sum, event) =>
      sum +
      (event.kind === 'refund' && !failed.has(parseSubjectId(event.id))
        ? (event.payload.amount ?? 0)
        : 0),
    0,
  );
}

/** How the last of its disputes stands; `undefined` where there was none. */
export function getDisputeStatus(
  events: readonly OutboxEvent[],
): 'open' | 'won' | 'lost' | undefined {
  const ends = new Map<string, 'won' | 'lost'>();
  for (const { kind, id } of events)
    if (kind === 'dispute_won' || kind === 'dispute_lost')
      ends.set(parseSubjectId(id), kind === 'dispute_won' ? 'won' : 'lost');
  const opened = events
    .filter(({ kind }) => kind === 'dispute_opened')
    .map(({ id }) => ends.get(parseSubjectId(id)) ?? 'open');
  return opened.find((state) => state === 'open') ?? opened.at(-1);
}

/** The refund or dispute that an event's name names: `refund re_1` is about `re_1`. */
function parseSubjectId(id: string): string {
  return id.slice(id.indexOf(' ') + 1);
}

import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { InsertEvents } from './outbox-repository.ts';
import type { Database } from '../database/database.ts';
import type {
  Decision,
  EventRow,
  EventState,
  Donation,
  GiftState,
  ResolutionRow,
  Tables,
} from '../database/schema.ts';
import { entryOf, isEntry, PAYMENT, reviewOptions, type ReviewOption } from './review-options.ts';

/** What a person says, and who it is. */
export interface Resolve {
  /** Of a gift or of a renewal. */
  readonly reference: string;
  readonly as: Decision;
  /** The id of an event or `payment`; needed only where several things of this reference fit. */
  readonly about?: string | undefined;
  /** The platform's id, where the way needs it. */
  readonly platformId?: number | undefined;
  readonly by: string;
  readonly note: string;
}

/** A gift with all that happened to it and to its renewals, the oldest first. */
export interface DonationHistory {
  readonly gift: Donation;
  readonly events: readonly EventRow[];
}

/** What was asked for is none of what the state of the gift allows. Nothing was changed. */
export class InvalidDecisionError extends Error {
  override readonly name = 'NotDecidableError';
}

/** What people decided of gifts that waited for them, on disk. */
export class ReviewRepository {
  readonly #store: Database;
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;
  readonly #addEvents: InsertEvents;

  constructor(store: Database, now: () => number, addEvents: InsertEvents) {
    this.#store = store;
    this.#db = store.db;
    this.#now = now;
    this.#addEvents = addEvents;
  }

  /** @param gift the first gift's reference. */
  of(gift: string): Promise<ResolutionRow[]> {
    return this.#db
      .selectFrom('review_decisions')
      .selectAll()
      .where('gift', '=', gift)
      .orderBy('decided_at')
      .orderBy('id')
      .execute();
  }

  /** Whether a person has said what a gift's payment came to. */
  async isDecided(gift: string): Promise<boolean> {
    return (
      (await this.#db
        .selectFrom('review_decisions')
        .select('id')
        .where('gift', '=', gift)
        .where('event', 'is', null)
        .executeTakeFirst()) !== undefined
    );
  }

  /** @param reference of a gift or of a renewal. */
  family(reference: string): Promise<DonationHistory | undefined> {
    return familyOf(this.#db, reference, false);
  }

  /**
   * Takes the step that a person decided on, and keeps who did, in one transaction.
   * @throws {InvalidDecisionError} where the state does not allow it, with what it does.
   */
  decide(given: Resolve): Promise<ResolutionRow> {
    return this.#store.writer.write(async (transaction) => {
      const family = await familyOf(transaction, given.reference, this.#store.isShared);
      if (!family) throw new InvalidDecisionError(`No gift has the reference ${given.reference}.`);
      const way = choose(given, family, this.#now());
      const { gift, events } = family;
      const event = events.find(({ id }) => id === way.about);
      checkPlatformId(given, way);
      const resolution: ResolutionRow = {
        id: randomUUID(),
        gift: gift.reference,
        event: event?.id ?? null,
        decision: way.as,
        from_state: event?.state ?? gift.state,
        to_state: event ? EVENT_STATE[way.as] : GIFT_STATE[way.as],
        platform_gift_id: given.platformId ?? null,
        decided_by: given.by,
        note: given.note,
        decided_at: this.#now(),
      };
      await (event
        ? stepOfEvent(transaction, event, resolution)
        : stepOfPayment(transaction, family, resolution, this.#addEvents));
      await transaction.insertInto('review_decisions').values(resolution).execute();
      return resolution;
    });
  }
}

/** Locks in the order in which the outbox does: events before gifts. */
async function familyOf(
  db: Kysely<Tables>,
  reference: string,
  isLocking: boolean,
): Promise<DonationHistory | undefined> {
  const entry = await db
    .selectFrom('outbox')
    .select('parent')
    .where('reference', '=', reference)
    .where('kind', '=', 'renewal')
    .executeTakeFirst();
  const first = entry?.parent ?? reference;
  const ofGift = db
    .selectFrom('outbox')
    .selectAll()
    .where((build) => build.or([build('reference', '=', first), build('parent', '=', first)]))
    .orderBy('created_at')
    .orderBy('id');
  const events = await (isLocking ? ofGift.forUpdate() : ofGift).execute();
  const one = db.selectFrom('donations').selectAll().where('reference', '=', first);
  const gift = await (isLocking ? one.forUpdate() : one).executeTakeFirst();
  return gift && { gift, events };
}

const GIFT_STATE = {
  charged: 'charged',
  entered: 'charged',
  declined: 'declined',
  recorded: 'charged',
  'not-recorded': 'held',
  send: 'held',
} as const satisfies Record<Decision, GiftState>;
const EVENT_STATE = {
  charged: 'waiting',
  declined: 'waiting',
  entered: 'recorded',
  recorded: 'recorded',
  'not-recorded': 'waiting',
  send: 'waiting',
} as const satisfies Record<Decision, EventState>;

/** @throws {InvalidDecisionError} where no way fits, or several do. */
function choose(
  { reference, as, about }: Resolve,
  { gift, events }: DonationHistory,
  now: number,
): ReviewOption {
  const all = reviewOptions(gift, events, now).filter(
    (way) =>
      way.about === (about ?? way.about) &&
      (about !== undefined || isOf(way, reference, gift, events)),
  );
  const fitting = all.filter((way) => way.as === as);
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1)
    throw new InvalidDecisionError(
      `${fitting.length} things of ${reference} can be resolved as ${as}. Name the one that you mean: ${fitting.map((way) => `'${way.about}'`).join(', ')}.`,
    );
  const states = [
    `its payment is ${gift.state}`,
    ...events
      .filter(({ id, reference: own }) => (about === undefined ? own === reference : id === about))
      .map(({ id, state }) => `'${id}' is ${state}`),
  ].join(', ');
  const possible = all.map((way) => `${way.as} ('${way.about}')`).join(', ');
  throw new InvalidDecisionError(
    `${reference} cannot be resolved as ${as}${about === undefined ? '' : `, '${about}'`}: ${states}. ${possible === '' ? 'Nothing of it waits for a decision now.' : `What can be said now: ${possible}.`}`,
  );
}

function isOf(
  { about }: ReviewOption,
  reference: string,
  gift: Donation,
  events: readonly EventRow[],
): boolean {
  return about === PAYMENT
    ? reference === gift.reference
    : events.some((event) => event.id === about && event.reference === reference);
}

/** @throws {InvalidDecisionError} */
function checkPlatformId({ platformId, as }: Resolve, { needsPlatformId }: ReviewOption): void {
  if (needsPlatformId && platformId === undefined)
    throw new InvalidDecisionError(
      `To resolve it as ${as}, name the id that the platform shows for it: a whole number.`,
    );
  if (!needsPlatformId && platformId !== undefined)
    throw new InvalidDecisionError(
      `To resolve it as ${as}, no id of the platform is needed; leave it out.`,
    );
}

async function stepOfPayment(
  transaction: Transaction<Tables>,
  { gift, events }: DonationHistory,
  { decision, to_state: state, platform_gift_id: platformId, decided_at: now }: ResolutionRow,
  addEvents: InsertEvents,
): Promise<void> {
  const { reference, organization } = gift;
  const entry = entryOf(gift, events);
  const tell = kindToAdd(decision, entry !== undefined);
  await transaction
    .updateTable('donations')
    .set({
      state: state as GiftState,
      last_error: null,
      attempts: 0,
      updated_at: now,
      ...(decision === 'declined' && { decline_reason: gift.decline_reason ?? 'not-charged' }),
    })
    .where('reference', '=', reference)
    .execute();
  if (tell)
    await addEvents(
      transaction,
      organization,
      [{ id: `${tell} ${reference}`, reference, kind: tell, dispatched_at: gift.restored_at }],
      now,
    );
  if (decision === 'entered')
    await recordedByHand(
      transaction,
      { id: entry?.id ?? `gift ${reference}`, reference, kind: 'gift' },
      platformId,
      now,
    );
}

/** What the platform has to be told after a decision about a payment; `undefined`: nothing. */
function kindToAdd(
  decision: Decision,
  hasEntry: boolean,
): 'failed' | 'gift' | 'settled' | undefined {
  if (decision === 'declined') return hasEntry ? 'failed' : undefined;
  if (!hasEntry) return 'gift';
  return decision === 'charged' ? 'settled' : undefined;
}

async function stepOfEvent(
  transaction: Transaction<Tables>,
  event: EventRow,
  { to_state: state, platform_gift_id: platformId, decided_at: now }: ResolutionRow,
): Promise<void> {
  if (state === 'recorded') return recordedByHand(transaction, event, platformId, now);
  await transaction
    .updateTable('outbox')
    .set({
      state: 'waiting',
      dispatched_at: null,
      attempts: 0,
      next_run_at: now,
      last_error: null,
      updated_at: now,
    })
    .where('id', '=', event.id)
    .execute();
}

async function recordedByHand(
  transaction: Transaction<Tables>,
  event: Pick<EventRow, 'id' | 'reference' | 'kind'>,
  platformId: number | null,
  now: number,
): Promise<void> {
  await transaction
    .updateTable('outbox')
    .set({
      state: 'recorded',
      dispatched_at: null,
      last_error: null,
      updated_at: now,
      ...(isEntry(event) && { platform_gift_id: platformId }),
    })
    .where('id', '=', event.id)
    .execute();
  if (event.kind === 'gift')
    await transaction
      .updateTable('donations')
      .set({ platform_gift_id: platformId })
      .where('reference', '=', event.reference)
      .execute();
}

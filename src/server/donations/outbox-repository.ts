import type { Kysely, Transaction, UpdateObject } from 'kysely';
import type { RecurringState } from '@donation-form/core/donation';
import { isDue, isUnclaimed } from '../database/claims.ts';
import { preparedInsert } from '../database/prepared-insert.ts';
import type { EventRow, EventState, Donation, Tables } from '../database/schema.ts';
import { readDetail } from './event-mapper.ts';
import type { Database } from '../database/database.ts';

/**
 * For how long a server has what it claimed, in milliseconds: longer than the calls about it may
 * last.
 */
export const LOCK_DURATION = 60_000;

/**
 * Something that happened to a gift, before the journal keeps it; with `dispatched_at` where the
 * platform may know of it, so that it is looked up first.
 */
export type NewEvent = Pick<EventRow, 'id' | 'reference' | 'kind'> &
  Partial<Pick<EventRow, 'parent' | 'payment_id' | 'detail' | 'dispatched_at'>>;

/** Who else is notified of donation events: an organization's own servers. */
export interface OutboundWebhooks {
  /** Stores the messages of a new event, in its transaction. */
  enqueue(transaction: Transaction<Tables>, event: EventRow): Promise<void>;
  /** Sends what was stored for an organization. */
  wake(organization: string): void;
}

/** Keeps events inside a transaction; what is known already stays as it is. */
export type InsertEvents = (
  transaction: Transaction<Tables>,
  organization: string,
  events: readonly NewEvent[],
  now: number,
) => Promise<void>;

/**
 * What happened to gifts, on disk: what the platform is to know. Each method is one transaction.
 */
export class OutboxRepository {
  readonly #store: Database;
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;
  readonly #insert: InsertEvents;

  constructor(store: Database, now: () => number, add: InsertEvents) {
    this.#store = store;
    this.#db = store.db;
    this.#now = now;
    this.#insert = add;
  }

  /** Keeps what happened to a gift, once; in their order where several are told at once. */
  async insert(organization: string, events: readonly NewEvent[]): Promise<void> {
    await this.#store.writer.write((transaction) =>
      this.#insert(transaction, organization, events, this.#now()),
    );
  }

  /** Keeps a renewal under the next reference of its first gift, once. */
  async insertRenewal(
    first: Donation,
    {
      id,
      paymentId,
      detail,
      mayBeRecorded = false,
    }: {
      readonly id: string;
      readonly paymentId: string;
      readonly detail: string;
      readonly mayBeRecorded?: boolean | undefined;
    },
  ): Promise<void> {
    await this.#store.writer.write(async (transaction) => {
      if (this.#store.isShared)
        await transaction
          .selectFrom('donations')
          .select('reference')
          .where('reference', '=', first.reference)
          .forUpdate()
          .execute();
      const { count } = await transaction
        .selectFrom('outbox')
        .where('parent', '=', first.reference)
        .where('kind', '=', 'renewal')
        .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
        .executeTakeFirstOrThrow();
      await this.#insert(
        transaction,
        first.organization,
        [
          {
            id,
            kind: 'renewal',
            reference: `${first.reference}-${Number(count) + 2}`,
            parent: first.reference,
            payment_id: paymentId,
            detail,
            dispatched_at: mayBeRecorded ? (readDetail({ detail }).at ?? null) : null,
          },
        ],
        this.#now(),
      );
    });
  }

  /**
   * Keeps what a recurring gift is now, where that is another thing than before; the platform is
   * told.
   */
  async insertSubscriptionChange(
    first: Donation,
    state: RecurringState,
    event: NewEvent,
  ): Promise<void> {
    await this.#store.writer.write(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('donations')
        .set({ subscription_status: state, updated_at: this.#now() })
        .where('reference', '=', first.reference)
        .where((build) =>
          build.or([
            build('subscription_status', '<>', state),
            ...(state === 'active' ? [] : [build('subscription_status', 'is', null)]),
          ]),
        )
        .executeTakeFirst();
      if (numUpdatedRows === 1n)
        await this.#insert(transaction, first.organization, [event], this.#now());
    });
  }

  /** Whether something that happened to a gift before this is yet to be told. */
  async hasEarlierPendingEvent({ id, reference, created_at: at }: EventRow): Promise<boolean> {
    const earlier = await this.#db
      .selectFrom('outbox')
      .select('id')
      .where('reference', '=', reference)
      .where('state', '=', 'waiting')
      .where('id', '<>', id)
      .where((build) =>
        build.or([
          build('created_at', '<', at),
          build.and([build('created_at', '=', at), build('id', '<', id)]),
        ]),
      )
      .executeTakeFirst();
    return earlier !== undefined;
  }

  findById(id: string): Promise<EventRow | undefined> {
    return this.#db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** The event that made a gift or a renewal known, by the reference that it is known under. */
  findGiftEvent(reference: string): Promise<EventRow | undefined> {
    return this.#db
      .selectFrom('outbox')
      .selectAll()
      .where('reference', '=', reference)
      .where('kind', 'in', ['gift', 'renewal'])
      .executeTakeFirst();
  }

  findRenewalByPayment(organization: string, paymentId: string): Promise<EventRow | undefined> {
    return this.#db
      .selectFrom('outbox')
      .selectAll()
      .where('organization', '=', organization)
      .where('payment_id', '=', paymentId)
      .where('kind', '=', 'renewal')
      .executeTakeFirst();
  }

  /** What the platform is to be told now, in its order. */
  listDue(organization: string, limit: number): Promise<EventRow[]> {
    return this.#selectDue(organization)
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** Of what is due and happened to other gifts, that which was tried least. */
  listDueOfOtherDonations({ organization, reference }: EventRow): Promise<EventRow | undefined> {
    return this.#selectDue(organization)
      .where('reference', '<>', reference)
      .selectAll()
      .orderBy('attempts')
      .orderBy('created_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  }

  /**
   * Takes a due event, so that no other server tells it in the same minute.
   * @returns it as it is now; nothing where it was not to be had any more.
   */
  claim({ id, next_run_at: dueAt }: EventRow): Promise<EventRow | undefined> {
    const until = this.#now() + LOCK_DURATION;
    return this.#db
      .updateTable('outbox')
      .set({ next_run_at: until, locked_until: until })
      .where('id', '=', id)
      .where('next_run_at', '=', dueAt)
      .where('state', '=', 'waiting')
      .returningAll()
      .executeTakeFirst();
  }

  async findNextDueTime(organization: string): Promise<number | undefined> {
    const { due } = await this.#selectInState(organization, 'waiting')
      .select(({ fn }) => fn.min<number | null>('next_run_at').as('due'))
      .executeTakeFirstOrThrow();
    return due ?? undefined;
  }

  /** The events of a state, the oldest first. */
  listByState(state: EventState, limit: number): Promise<EventRow[]> {
    return this.#db
      .selectFrom('outbox')
      .selectAll()
      .where('state', '=', state)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /**
   * Notes that a call which records an event is about to be made.
   * @returns false where another server has taken the event since, or a person has entered it:
   *   then it must not be made.
   */
  markDispatched(event: EventRow): Promise<boolean> {
    return this.#transition(event, { dispatched_at: this.#now() });
  }

  /** Makes those that wait due now, but for what a server is telling at this moment. */
  async makeDue(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const now = this.#now();
    await this.#store.writer.write((transaction) =>
      transaction
        .updateTable('outbox')
        .set({ next_run_at: now })
        .where('id', 'in', ids)
        .where('state', '=', 'waiting')
        .where((build) => isUnclaimed(build, now))
        .where('next_run_at', '>', now)
        .execute(),
    );
  }

  /** Notes that the platform need not know of an event. */
  async markUnnecessary(event: EventRow, why: string): Promise<void> {
    await this.#transition(event, { state: 'recorded', last_error: why });
  }

  /** @param platformId the platform's id of a gift or a renewal. */
  async markDelivered({ id, kind, reference }: EventRow, platformId: number | null): Promise<void> {
    await this.#store.writer.write(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('outbox')
        .set({
          state: 'recorded',
          platform_gift_id: platformId,
          dispatched_at: null,
          last_error: null,
          updated_at: this.#now(),
        })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirst();
      if (kind === 'gift' && numUpdatedRows === 1n)
        await transaction
          .updateTable('donations')
          .set({ platform_gift_id: platformId })
          .where('reference', '=', reference)
          .execute();
    });
  }

  /** Leaves an event to a person. */
  async leaveForReview(event: EventRow, state: 'held' | 'by-hand', error: string): Promise<void> {
    await this.#transition(event, { state, last_error: error });
  }

  async postpone(
    event: EventRow,
    {
      dueAt,
      error,
      sendingBeganAt,
    }: {
      readonly dueAt: number;
      readonly error: string | null;
      readonly sendingBeganAt: number | null;
    },
  ): Promise<void> {
    await this.#transition(event, {
      next_run_at: dueAt,
      locked_until: 0,
      last_error: error,
      dispatched_at: sendingBeganAt,
      attempts: event.attempts + 1,
    });
  }

  #selectDue(organization: string) {
    return this.#selectInState(organization, 'waiting').where((build) => isDue(build, this.#now()));
  }

  #selectInState(organization: string, state: EventState) {
    return this.#db
      .selectFrom('outbox')
      .where('organization', '=', organization)
      .where('state', '=', state);
  }

  /**
   * Changes a waiting event that this server still has: whoever was held up for longer than a claim
   * lasts changes nothing.
   * @returns whether it did.
   */
  async #transition(
    { id, next_run_at: dueAt }: EventRow,
    change: UpdateObject<Tables, 'outbox'>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#store.writer.write((transaction) =>
      transaction
        .updateTable('outbox')
        .set({ ...change, updated_at: this.#now() })
        .where('id', '=', id)
        .where('next_run_at', '=', dueAt)
        .where('state', '=', 'waiting')
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  }
}

const insertIfNew = preparedInsert('outbox', 'id');

export function createEventInserter(outboundWebhooks?: OutboundWebhooks): InsertEvents {
  return async (transaction, organization, events, now) => {
    for (const [index, event] of events.entries()) {
      const given = {
        parent: null,
        payment_id: null,
        detail: '{}',
        dispatched_at: null,
        ...event,
      };
      const row: EventRow = {
        ...given,
        happened_at: readDetail(given).at ?? now,
        organization,
        state: 'waiting',
        platform_gift_id: null,
        attempts: 0,
        next_run_at: now,
        locked_until: 0,
        last_error: null,
        created_at: now + index,
        updated_at: now,
      };
      if (await insertIfNew(transaction, row)) await outboundWebhooks?.enqueue(transaction, row);
    }
  };
}

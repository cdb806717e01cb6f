import { sql, type FunctionModule, type Kysely, type UpdateObject } from 'kysely';
import {
  buildIsDueCondition,
  buildIsUnclaimedCondition,
  LOCK_DURATION,
} from '../database/claims.ts';
import { evaluateOncePerStatement } from '../database/database-clock.ts';
import { toGiftIdColumns } from '../database/row-mapper.ts';
import { isRowError } from '../database/database-error.ts';
import { IS_OF_ANY_ORGANIZATION } from '../database/unfinished-work.ts';
import { BatchQueue } from '../lib/batch-queue.ts';
import { selectPayloadField } from '../database/payload-field.ts';
import type { EventInserter, NewEvent } from './outbox-events.ts';
import type { OutboxEvent, OutboxStatus, Tables } from '../database/schema.ts';
import type { Database } from '../database/database.ts';

/** An event to send, with the email of its donor if known. */
export interface DueEvent extends OutboxEvent {
  readonly donorEmail?: string | null;
}

/** Stores the events to send to the platform. Each method runs one transaction. */
export class OutboxRepository {
  readonly #database: Database;
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;
  readonly #insertEvents: EventInserter;
  readonly #dispatched = createEventQueue<DispatchedEvent>((events) =>
    this.#markAllDispatched(events),
  );
  readonly #delivered = createEventQueue<RecordedGift>((events) => this.#markAllDelivered(events));

  constructor(database: Database, insertEvents: EventInserter) {
    this.#database = database;
    this.#db = database.db;
    this.#now = database.clock.now;
    this.#insertEvents = insertEvents;
  }

  /** Inserts events in the given order. Skips events with IDs that already exist. */
  async insertEvents(organization: string, events: readonly NewEvent[]): Promise<void> {
    await this.#database.writer.write((transaction) =>
      this.#insertEvents(transaction, organization, events, this.#now()),
    );
  }

  /** Returns true if an earlier event for the same gift is still pending. */
  async hasEarlierPendingEvent({ id, reference, createdAt: at }: OutboxEvent): Promise<boolean> {
    const earlier = await this.#db
      .selectFrom('outbox')
      .select('id')
      .where('reference', '=', reference)
      .where('status', '=', 'pending')
      .where('id', '<>', id)
      .where((build) =>
        build.or([
          build('createdAt', '<', at),
          build.and([build('createdAt', '=', at), build('id', '<', id)]),
        ]),
      )
      .executeTakeFirst();
    return earlier !== undefined;
  }

  findById(id: string): Promise<OutboxEvent | undefined> {
    return this.#db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** Lists all events of a donation or renewal. */
  listEvents(reference: string): Promise<OutboxEvent[]> {
    return this.#db.selectFrom('outbox').selectAll().where('reference', '=', reference).execute();
  }

  /** Finds the event that creates the platform's gift for a donation or renewal. */
  findGiftCreationEvent(reference: string): Promise<OutboxEvent | undefined> {
    return this.#db
      .selectFrom('outbox')
      .selectAll()
      .where('reference', '=', reference)
      .where('kind', 'in', ['donation', 'renewal'])
      .executeTakeFirst();
  }

  /** Lists due events in sending order, with their donors' emails. */
  listDueEvents(organization: string, limit: number): Promise<DueEvent[]> {
    return this.#selectDueEvents(organization)
      .selectAll()
      .select(({ fn }) => this.#selectDonorEmail(fn))
      .orderBy('createdAt')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** Lists the events that a server is sending, with their donors' emails. */
  listClaimedEvents(organization: string): Promise<DueEvent[]> {
    const { clock } = this.#database;
    return this.#selectEventsByStatus(organization, 'pending')
      .where('nextRunAt', '>', evaluateOncePerStatement(clock.in(0)))
      .where((build) => build.not(buildIsUnclaimedCondition(build, clock)))
      .selectAll()
      .select(({ fn }) => this.#selectDonorEmail(fn))
      .execute();
  }

  #selectDonorEmail(fn: FunctionModule<Tables, 'outbox'>) {
    return this.#db
      .selectFrom('donations')
      .where('donations.reference', '=', fn.coalesce('outbox.parentReference', 'outbox.reference'))
      .select(selectPayloadField(this.#db, 'donations', ['donor', 'email']).as('email'))
      .as('donorEmail');
  }

  /**
   * Finds the due event with the fewest attempts, among events for other donations and renewals.
   */
  findDueEventOfOtherDonation({
    organization,
    reference,
  }: OutboxEvent): Promise<OutboxEvent | undefined> {
    return this.#selectDueEvents(organization)
      .where('reference', '<>', reference)
      .selectAll()
      .orderBy('attempts')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  }

  /**
   * Locks a due event for this server.
   * @returns the locked row, or `undefined` if the row has changed or another server has locked it.
   */
  claimEvent({ id, nextRunAt: dueAt }: OutboxEvent): Promise<OutboxEvent | undefined> {
    const until = this.#database.clock.in(LOCK_DURATION);
    return this.#db
      .updateTable('outbox')
      .set({ nextRunAt: until, lockedUntil: until })
      .where('id', '=', id)
      .where('nextRunAt', '=', dueAt)
      .where('status', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
  }

  async findNextDueTime(organization: string): Promise<number | undefined> {
    const { due } = await this.#selectEventsByStatus(organization, 'pending')
      .select(({ fn }) => fn.min<number | null>('nextRunAt').as('due'))
      .executeTakeFirstOrThrow();
    return due ?? undefined;
  }

  /** Lists events that have the given status, oldest first. */
  listByStatus(status: OutboxStatus, limit: number): Promise<OutboxEvent[]> {
    return this.#db
      .selectFrom('outbox')
      .selectAll()
      .where(IS_OF_ANY_ORGANIZATION)
      .where('status', '=', status)
      .orderBy('createdAt')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /**
   * Records that a call to create the gift is about to start.
   * @returns false if the relay must not call the platform, because another server has claimed the
   *   event or a person has already entered the gift.
   */
  markDispatched({ id, nextRunAt: dueAt }: OutboxEvent): Promise<boolean> {
    return this.#dispatched.add({ id, dueAt });
  }

  #markAllDispatched(
    events: readonly DispatchedEvent[],
  ): Promise<readonly { readonly id: string }[]> {
    return this.#database.writer.write((transaction) =>
      transaction
        .updateTable('outbox')
        .from(buildDueTimes(events))
        .set({
          dispatchedAt: this.#database.clock.in(0),
          // Clear the earlier error. If the server stops during the call, that error must not appear
          // as the reason for the review.
          lastError: null,
          updatedAt: this.#now(),
        })
        .whereRef('id', '=', 'listed.column1')
        .whereRef('nextRunAt', '=', 'listed.column2')
        .where('status', '=', 'pending')
        .returning('id')
        .execute(),
    );
  }

  /** Makes pending events due now, except events that a server is currently sending. */
  async makePendingEventsDue(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { clock } = this.#database;
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('outbox')
        .set({ nextRunAt: clock.in(0) })
        .where('id', 'in', ids)
        .where('status', '=', 'pending')
        .where((build) => buildIsUnclaimedCondition(build, clock))
        .where('nextRunAt', '>', evaluateOncePerStatement(clock.in(0)))
        .execute(),
    );
  }

  /** Marks an event as delivered without sending it, because the platform does not need it. */
  async markDeliveredAsUnnecessary(event: OutboxEvent, reason: string): Promise<void> {
    await this.#updatePendingEvent(event, { status: 'delivered', lastError: reason });
  }

  /**
   * Marks an event as delivered.
   * @param platformId the platform's ID for the gift, or `null` if the platform returned none.
   */
  async markDelivered({ id }: OutboxEvent, platformId: string | null): Promise<void> {
    await this.#delivered.add({ id, platformId });
  }

  #markAllDelivered(events: readonly RecordedGift[]): Promise<readonly { readonly id: string }[]> {
    return this.#database.writer.write(async (transaction) => {
      const delivered = await transaction
        .updateTable('outbox')
        .from(buildGiftIds(events))
        .set({
          status: 'delivered',
          ...LISTED_GIFT_ID,
          dispatchedAt: null,
          lastError: null,
          updatedAt: this.#now(),
        })
        .whereRef('id', '=', 'listed.column1')
        .where('status', '=', 'pending')
        .returning(['id', 'kind', 'reference', 'platformGiftId', 'platformGiftIdText'])
        .execute();
      const gifts = delivered
        .filter(({ kind, platformGiftId: id }) => kind !== 'renewal' && id !== null)
        .map(({ kind, reference: id, platformGiftId: platformId }) => ({ kind, id, platformId }));
      // On platforms that accept only settled gifts, `payment_settled` creates the gift.
      const settledGifts = gifts.filter(({ kind }) => kind === 'payment_settled');
      if (settledGifts.length > 0)
        await transaction
          .updateTable('outbox')
          .from(buildGiftIds(settledGifts))
          .set(LISTED_GIFT_ID)
          .whereRef('reference', '=', 'listed.column1')
          .where('kind', '=', 'donation')
          .execute();
      if (gifts.length > 0)
        await transaction
          .updateTable('donations')
          .from(buildGiftIds(gifts))
          .set(LISTED_GIFT_ID)
          .whereRef('reference', '=', 'listed.column1')
          .execute();
      return delivered;
    });
  }

  /** Marks an event for review or manual entry by a person. */
  async markForReview(
    event: OutboxEvent,
    status: 'needs_review' | 'manual',
    error: string,
  ): Promise<void> {
    await this.#updatePendingEvent(event, { status, attempts: event.attempts, lastError: error });
  }

  async postponeEvent(
    event: OutboxEvent,
    {
      dueAt,
      error,
      dispatchedAt,
    }: {
      readonly dueAt: number;
      readonly error: string | null;
      readonly dispatchedAt: number | null;
    },
  ): Promise<void> {
    await this.#updatePendingEvent(event, {
      nextRunAt: dueAt,
      lockedUntil: 0,
      lastError: error,
      dispatchedAt,
      attempts: event.attempts + 1,
    });
  }

  #selectDueEvents(organization: string) {
    return this.#selectEventsByStatus(organization, 'pending').where((build) =>
      buildIsDueCondition(build, this.#database.clock),
    );
  }

  #selectEventsByStatus(organization: string, status: OutboxStatus) {
    return this.#db
      .selectFrom('outbox')
      .where('organization', '=', organization)
      .where('status', '=', status);
  }

  /**
   * Updates a pending event.
   * @returns false if the event has changed in the meantime, for example because this server's
   *   claim expired.
   */
  async #updatePendingEvent(
    { id, nextRunAt: dueAt }: OutboxEvent,
    change: UpdateObject<Tables, 'outbox'>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('outbox')
        .set({ ...change, updatedAt: this.#now() })
        .where('id', '=', id)
        .where('nextRunAt', '=', dueAt)
        .where('status', '=', 'pending')
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  }
}

/** Maximum number of events in one statement. */
const MAX_BATCH_SIZE = 64;

interface DispatchedEvent {
  readonly id: string;
  /** The event's `nextRunAt` when this server claimed the event. */
  readonly dueAt: number;
}

/** A gift ID for the row with the given event ID or reference. */
interface RecordedGift {
  readonly id: string;
  readonly platformId: string | null;
}

/** Columns to set to a listed gift ID. */
const LISTED_GIFT_ID = {
  platformGiftId: sql.ref<number | null>('listed.column2'),
  platformGiftIdText: sql.ref<string | null>('listed.column3'),
};

/**
 * Creates a queue that changes the events of concurrent calls with one statement: with a statement
 * for each event, most of the time for sending went into building and running statements.
 * @param change changes the events and returns those that it has changed.
 * @returns a queue that resolves with true if the event has been changed.
 */
function createEventQueue<Item extends { readonly id: string }>(
  change: (events: readonly Item[]) => Promise<readonly { readonly id: string }[]>,
): BatchQueue<Item, boolean> {
  return new BatchQueue({
    processBatch: async (events) => {
      const changed = new Set((await change(events)).map(({ id }) => id));
      return events.map(({ id }) => changed.has(id));
    },
    maxSize: MAX_BATCH_SIZE,
    isItemError: isRowError,
  });
}

/** Builds a table of due times. SQLite and PostgreSQL give its columns the same names. */
function buildDueTimes(events: readonly DispatchedEvent[]) {
  const rows = events.map(({ id, dueAt }) => sql`(CAST(${id} AS text), CAST(${dueAt} AS bigint))`);
  return sql<{ column1: string; column2: number }>`(VALUES ${sql.join(rows)})`.as('listed');
}

/** Builds a table of gift IDs for {@link LISTED_GIFT_ID}. */
function buildGiftIds(gifts: readonly RecordedGift[]) {
  const rows = gifts.map(({ id, platformId }) => {
    const { platformGiftId: integerId, platformGiftIdText: textId } = toGiftIdColumns(platformId);
    return sql`(CAST(${id} AS text), CAST(${integerId} AS bigint), CAST(${textId} AS text))`;
  });
  return sql<{
    column1: string;
    column2: number | null;
    column3: string | null;
  }>`(VALUES ${sql.join(rows)})`.as('listed');
}

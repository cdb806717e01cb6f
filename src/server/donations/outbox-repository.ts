import { type FunctionModule, sql, type UpdateObject } from 'kysely';
import {
  buildIsUnclaimedCondition,
  claimRow,
  findNextDueTime,
  selectDueRows,
  selectRows,
} from '../database/claims.ts';
import type { Database } from '../database/database.ts';
import { evaluateOncePerStatement } from '../database/database-clock.ts';
import { isRowError } from '../database/database-error.ts';
import { selectPayloadField } from '../database/payload-field.ts';
import { toGiftIdColumns } from '../database/row-mapper.ts';
import type {
  Donation,
  OutboxEntry,
  OutboxPayload,
  OutboxStatus,
  Tables,
} from '../database/schema.ts';
import { isOfOrganizations } from '../database/unfinished-work.ts';
import { BatchQueue } from '../lib/batch-queue.ts';
import type { RepositoryContext } from './apply-transition.ts';
import type { NewEntry } from './outbox-entries.ts';

export interface DueEntry extends OutboxEntry {
  readonly donorEmail?: string | null;
}

/** Stores the entries to send to the platform. Each method runs one transaction. */
export class OutboxRepository {
  readonly #context: RepositoryContext;
  readonly #database: Database;
  readonly #now: () => number;
  readonly #dispatched = createEntryQueue<DispatchedEntry>((entries) =>
    this.#markAllDispatched(entries),
  );
  readonly #delivered = createEntryQueue<RecordedGift>((entries) =>
    this.#markAllDelivered(entries),
  );

  constructor(context: RepositoryContext) {
    this.#context = context;
    this.#database = context.database;
    this.#now = context.database.clock.now;
  }

  async insertEntries(organization: string, entries: readonly NewEntry[]): Promise<void> {
    await this.#database.writer.write((transaction) =>
      this.#context.insertEntries(transaction, organization, entries, this.#now()),
    );
  }

  /**
   * Inserts a renewal once. Its reference is the first donation's with the next number, such as
   * `7K4M9-QXD2P-2`.
   */
  async insertRenewal(
    { reference, organization }: Donation,
    renewal: { readonly id: string; readonly paymentId: string; readonly payload: OutboxPayload },
    mayExistOnPlatform = false,
  ): Promise<void> {
    await this.#database.writer.write(async (transaction) => {
      if (this.#database.isShared)
        await transaction
          .selectFrom('donations')
          .select('reference')
          .where('reference', '=', reference)
          .forUpdate()
          .execute();
      const { count } = await transaction
        .selectFrom('outbox')
        .where((build) => build.and({ parentReference: reference, kind: 'renewal' }))
        .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
        .executeTakeFirstOrThrow();
      const entry: NewEntry = {
        ...renewal,
        kind: 'renewal',
        reference: `${reference}-${Number(count) + 2}`,
        parentReference: reference,
        dispatchedAt: mayExistOnPlatform ? (renewal.payload.at ?? null) : null,
      };
      await this.#context.insertEntries(transaction, organization, [entry], this.#now());
    });
  }

  findRenewal(organization: string, paymentId: string): Promise<OutboxEntry | undefined> {
    return this.#database.db
      .selectFrom('outbox')
      .selectAll()
      .where((build) => build.and({ organization, paymentId, kind: 'renewal' }))
      .executeTakeFirst();
  }

  async hasEarlierPendingEntry({ id, reference, createdAt: at }: OutboxEntry): Promise<boolean> {
    const earlier = await this.#database.db
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

  findById(id: string): Promise<OutboxEntry | undefined> {
    return this.#database.db
      .selectFrom('outbox')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
  }

  listEntries(reference: string): Promise<OutboxEntry[]> {
    return this.#database.db
      .selectFrom('outbox')
      .selectAll()
      .where('reference', '=', reference)
      .execute();
  }

  findGiftCreation(reference: string): Promise<OutboxEntry | undefined> {
    return this.#database.db
      .selectFrom('outbox')
      .selectAll()
      .where('reference', '=', reference)
      .where('kind', 'in', ['donation', 'renewal'])
      .executeTakeFirst();
  }

  listDueEntries(organization: string, limit: number): Promise<DueEntry[]> {
    return selectDueRows(this.#database, 'outbox', { organization, status: 'pending' })
      .selectAll()
      .select(({ fn }) => this.#selectDonorEmail(fn))
      .orderBy('createdAt')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  listClaimedEntries(organization: string): Promise<DueEntry[]> {
    const { clock } = this.#database;
    return selectRows(this.#database, 'outbox', { organization, status: 'pending' })
      .where('nextRunAt', '>', evaluateOncePerStatement(clock.in(0)))
      .where((build) => build.not(buildIsUnclaimedCondition(build, clock)))
      .selectAll()
      .select(({ fn }) => this.#selectDonorEmail(fn))
      .execute();
  }

  #selectDonorEmail(fn: FunctionModule<Tables, 'outbox'>) {
    return this.#database.db
      .selectFrom('donations')
      .where('donations.reference', '=', fn.coalesce('outbox.parentReference', 'outbox.reference'))
      .select(selectPayloadField(this.#database.db, 'donations', ['donor', 'email']).as('email'))
      .as('donorEmail');
  }

  /** Finds the due entry with the fewest attempts for another donation or renewal. */
  findDueEntryOfOtherDonation({
    organization,
    reference,
  }: OutboxEntry): Promise<OutboxEntry | undefined> {
    return selectDueRows(this.#database, 'outbox', { organization, status: 'pending' })
      .where('reference', '<>', reference)
      .selectAll()
      .orderBy('attempts')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  }

  claimEntry(entry: OutboxEntry): Promise<OutboxEntry | undefined> {
    return claimRow(this.#database, 'outbox', entry);
  }

  findNextDueTime(organization: string): Promise<number | undefined> {
    return findNextDueTime(this.#database, 'outbox', { organization, status: 'pending' });
  }

  /** @param organizations IDs. If undefined, lists entries of all organizations. */
  listByStatus(
    status: OutboxStatus,
    limit: number,
    organizations?: readonly string[],
  ): Promise<OutboxEntry[]> {
    return this.#database.db
      .selectFrom('outbox')
      .selectAll()
      .where(isOfOrganizations(organizations))
      .where('status', '=', status)
      .orderBy('createdAt')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** @returns false if another server has claimed the entry or a person has entered the gift. */
  markDispatched({ id, nextRunAt: dueAt }: OutboxEntry): Promise<boolean> {
    return this.#dispatched.add({ id, dueAt });
  }

  #markAllDispatched(
    entries: readonly DispatchedEntry[],
  ): Promise<readonly { readonly id: string }[]> {
    return this.#database.writer.write((transaction) =>
      transaction
        .updateTable('outbox')
        .from(buildDueTimes(entries))
        .set({
          dispatchedAt: this.#database.clock.in(0),
          // If the server stops during the call, the earlier error must not appear as the reason.
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

  /** Makes pending entries due now, except those that a server is sending. */
  async makePendingEntriesDue(ids: readonly string[]): Promise<void> {
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

  /** Marks an entry as delivered that the platform does not need. */
  async markDeliveredAsUnnecessary(entry: OutboxEntry, reason: string): Promise<void> {
    await this.#updatePendingEntry(entry, { status: 'delivered', lastError: reason });
  }

  /** @param platformId the platform's ID for the gift, or `null` if it returned none. */
  async markDelivered({ id }: OutboxEntry, platformId: string | null): Promise<void> {
    await this.#delivered.add({ id, platformId });
  }

  #markAllDelivered(entries: readonly RecordedGift[]): Promise<readonly { readonly id: string }[]> {
    return this.#database.writer.write(async (transaction) => {
      const delivered = await transaction
        .updateTable('outbox')
        .from(buildGiftIds(entries))
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

  async markForReview(
    entry: OutboxEntry,
    status: 'needs_review' | 'manual',
    error: string,
  ): Promise<void> {
    await this.#updatePendingEntry(entry, { status, attempts: entry.attempts, lastError: error });
  }

  async postponeEntry(
    entry: OutboxEntry,
    retry: { readonly dueAt: number; error: string | null; dispatchedAt: number | null },
  ): Promise<void> {
    await this.#updatePendingEntry(entry, {
      nextRunAt: retry.dueAt,
      lockedUntil: 0,
      lastError: retry.error,
      dispatchedAt: retry.dispatchedAt,
      attempts: entry.attempts + 1,
    });
  }

  /** Updates a pending entry, unless it has changed, for example because the claim expired. */
  async #updatePendingEntry(
    { id, nextRunAt: dueAt }: OutboxEntry,
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

const MAX_BATCH_SIZE = 64;

interface DispatchedEntry {
  readonly id: string;
  readonly dueAt: number;
}

interface RecordedGift {
  readonly id: string;
  readonly platformId: string | null;
}

const LISTED_GIFT_ID = {
  platformGiftId: sql.ref<number | null>('listed.column2'),
  platformGiftIdText: sql.ref<string | null>('listed.column3'),
};

/**
 * Creates a queue that changes the entries of concurrent calls with one statement: one for each
 * entry took most of the time for sending.
 * @param change changes the entries and returns those that it has changed.
 * @returns a queue that resolves with true if the entry has been changed.
 */
function createEntryQueue<Item extends { readonly id: string }>(
  change: (entries: readonly Item[]) => Promise<readonly { readonly id: string }[]>,
): BatchQueue<Item, boolean> {
  return new BatchQueue({
    processBatch: async (entries) => {
      const changed = new Set((await change(entries)).map(({ id }) => id));
      return entries.map(({ id }) => changed.has(id));
    },
    maxSize: MAX_BATCH_SIZE,
    isItemError: isRowError,
  });
}

/** SQLite and PostgreSQL give the columns of VALUES the same names. */
function buildDueTimes(entries: readonly DispatchedEntry[]) {
  const rows = entries.map(({ id, dueAt }) => sql`(CAST(${id} AS text), CAST(${dueAt} AS bigint))`);
  return sql<{ column1: string; column2: number }>`(VALUES ${sql.join(rows)})`.as('listed');
}

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

import type { Transaction, UpdateQueryBuilder, UpdateResult } from 'kysely';
import { isDue } from '../../database/claims.ts';
import { LOCK_DURATION } from '../../donations/outbox-repository.ts';
import { preparedInsert } from '../../database/prepared-insert.ts';
import type { Database } from '../../database/database.ts';
import type { SiteWebhookRow, Tables } from '../../database/schema.ts';
import type { Subject } from './message.ts';

/** For how long what was given up can be sent again, in milliseconds. */
const KEPT = 30 * 86_400_000;

/** An address of an organisation. */
export type Place = Pick<SiteWebhookRow, 'organization' | 'url'>;

/** The messages of an address that are in a state. */
export interface Unsent extends Place, Pick<SiteWebhookRow, 'state'> {
  readonly count: number;
  /** When the oldest was made, in milliseconds since 1970. */
  readonly oldest: number;
  /** Of one of them. */
  readonly lastError: string | null;
}

/** The same, as the operator sees it. */
export interface FailedMessages extends Unsent {
  /** Whether the address is one of the configuration. */
  readonly isConfigured: boolean;
}

/**
 * What the sites' servers are to be told, on disk: what they took is on it no more. Each method is
 * one transaction.
 */
export class DeliveryQueue {
  readonly #store: Database;
  readonly #now: () => number;

  constructor(store: Database, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Keeps a message inside the transaction of its event. */
  async keep(
    transaction: Transaction<Tables>,
    message: Pick<SiteWebhookRow, 'id' | 'organization' | 'url' | 'event' | 'type'>,
  ): Promise<void> {
    const now = this.#now();
    await keepNew(transaction, {
      ...message,
      state: 'waiting',
      attempts: 0,
      next_run_at: now,
      last_error: null,
      created_at: now,
    });
  }

  /** What an address is to be told now, the oldest first. */
  due(place: Place, limit: number): Promise<SiteWebhookRow[]> {
    return this.#waiting(place)
      .where((build) => isDue(build, this.#now()))
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  async nextDue(place: Place): Promise<number | undefined> {
    const { due } = await this.#waiting(place)
      .select(({ fn }) => fn.min<number | null>('next_run_at').as('due'))
      .executeTakeFirstOrThrow();
    return due ?? undefined;
  }

  /**
   * Takes a due message, so that no other server sends it in the same minute.
   * @returns it as it is now; nothing where it was not to be had any more.
   */
  claim({ id, next_run_at: dueAt }: SiteWebhookRow): Promise<SiteWebhookRow | undefined> {
    return this.#store.db
      .updateTable('webhook_messages')
      .set({ next_run_at: this.#now() + LOCK_DURATION })
      .where('id', '=', id)
      .where('next_run_at', '=', dueAt)
      .where('state', '=', 'waiting')
      .returningAll()
      .executeTakeFirst();
  }

  /** What a message is about. @throws where the journal does not have it. */
  async subjectOf({ event: id }: SiteWebhookRow): Promise<Subject> {
    const { db } = this.#store;
    const event = await db
      .selectFrom('outbox')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const renewal =
      event.parent === null
        ? undefined
        : await db
            .selectFrom('outbox')
            .selectAll()
            .where('reference', '=', event.reference)
            .where('kind', '=', 'renewal')
            .executeTakeFirst();
    return {
      event,
      renewal,
      first: await db
        .selectFrom('donations')
        .selectAll()
        .where('reference', '=', event.parent ?? event.reference)
        .executeTakeFirstOrThrow(),
    };
  }

  /** Whether an address has said that it wants no message any more. */
  async isGone({ organization, url }: Place): Promise<boolean> {
    return (
      (await this.#store.db
        .selectFrom('webhook_messages')
        .select('id')
        .where('organization', '=', organization)
        .where('url', '=', url)
        .where('state', '=', 'gone')
        .limit(1)
        .executeTakeFirst()) !== undefined
    );
  }

  async taken({ id }: SiteWebhookRow): Promise<void> {
    await this.#store.writer.write((transaction) =>
      transaction.deleteFrom('webhook_messages').where('id', '=', id).execute(),
    );
  }

  async postponed(row: SiteWebhookRow, error: string, dueAt: number): Promise<void> {
    await this.#change(row, { attempts: row.attempts + 1, last_error: error, next_run_at: dueAt });
  }

  async givenUp(row: SiteWebhookRow, error: string): Promise<void> {
    await this.#change(row, { state: 'given-up', attempts: row.attempts + 1, last_error: error });
  }

  /** Gives up all that waits for an address that wants no message any more. */
  async gone({ organization, url }: Place): Promise<void> {
    await this.#store.writer.write((transaction) =>
      transaction
        .updateTable('webhook_messages')
        .set({ state: 'gone', last_error: 'the receiver wants no messages (status 410)' })
        .where('organization', '=', organization)
        .where('url', '=', url)
        .where('state', '=', 'waiting')
        .execute(),
    );
  }

  /** What no address has taken yet, those that the configuration does not have included. */
  unsent(): Promise<Unsent[]> {
    return this.#store.db
      .selectFrom('webhook_messages')
      .groupBy(['organization', 'url', 'state'])
      .orderBy('organization')
      .orderBy('url')
      .orderBy('state')
      .select(({ fn }) => [
        'organization',
        'url',
        'state',
        fn.countAll<number>().as('count'),
        fn.min<number>('created_at').as('oldest'),
        fn.max<string | null>('last_error').as('lastError'),
      ])
      .execute();
  }

  /** Lets what an address did not take be tried once more. @returns how much that is. */
  resend({ organization, url }: Place): Promise<number> {
    return this.#renew({}, (rows) =>
      rows
        .where('organization', '=', organization)
        .where('url', '=', url)
        .where('state', '<>', 'waiting'),
    );
  }

  /**
   * Lets all that was to be told to another address of an organisation be told to this one.
   * @returns how much that is.
   */
  move(from: string, { organization, url }: Place): Promise<number> {
    return this.#renew({ url }, (rows) =>
      rows.where('organization', '=', organization).where('url', '=', from),
    );
  }

  /**
   * Deletes what was kept for 30 days, whatever became of it: also what waits for an address that
   * the configuration does not have.
   */
  async forgetOld(): Promise<void> {
    await this.#store.writer.write((transaction) =>
      transaction
        .deleteFrom('webhook_messages')
        .where('created_at', '<=', this.#now() - KEPT)
        .execute(),
    );
  }

  #waiting({ organization, url }: Place) {
    return this.#store.db
      .selectFrom('webhook_messages')
      .where('organization', '=', organization)
      .where('url', '=', url)
      .where('state', '=', 'waiting');
  }

  async #renew(
    change: Partial<SiteWebhookRow>,
    those: (
      rows: UpdateQueryBuilder<Tables, 'webhook_messages', 'webhook_messages', UpdateResult>,
    ) => UpdateQueryBuilder<Tables, 'webhook_messages', 'webhook_messages', UpdateResult>,
  ): Promise<number> {
    const now = this.#now();
    const renewed = {
      ...change,
      state: 'waiting',
      attempts: 0,
      next_run_at: now,
      created_at: now,
    } as const;
    const { numUpdatedRows } = await this.#store.writer.write((transaction) =>
      those(transaction.updateTable('webhook_messages').set(renewed)).executeTakeFirst(),
    );
    return Number(numUpdatedRows);
  }

  async #change({ id }: SiteWebhookRow, change: Partial<SiteWebhookRow>): Promise<void> {
    await this.#store.writer.write((transaction) =>
      transaction
        .updateTable('webhook_messages')
        .set(change)
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .execute(),
    );
  }
}

const keepNew = preparedInsert('webhook_messages', 'id');

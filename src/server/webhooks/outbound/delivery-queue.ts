import type { Transaction, UpdateQueryBuilder, UpdateResult } from 'kysely';
import { isDue } from '../../database/claims.ts';
import { LOCK_DURATION } from '../../donations/outbox-repository.ts';
import { createPreparedInsert } from '../../database/prepared-insert.ts';
import type { Database } from '../../database/database.ts';
import type { WebhookMessageRow, Tables } from '../../database/schema.ts';
import type { Subject } from './message.ts';

/** For how long what was given up can be sent again, in milliseconds. */
const RETENTION = 30 * 86_400_000;

/** An address of an organisation. */
export type EndpointKey = Pick<WebhookMessageRow, 'organization' | 'url'>;

/** The messages of an address that are in a state. */
export interface UndeliveredMessages extends EndpointKey, Pick<WebhookMessageRow, 'status'> {
  readonly count: number;
  /** When the oldest was made, in milliseconds since 1970. */
  readonly oldest: number;
  /** Of one of them. */
  readonly lastError: string | null;
}

/** The same, as the operator sees it. */
export interface FailedMessages extends UndeliveredMessages {
  /** Whether the address is one of the configuration. */
  readonly isConfigured: boolean;
}

/**
 * What the sites' servers are to be told, on disk: what they took is on it no more. Each method is
 * one transaction.
 */
export class DeliveryQueue {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Keeps a message inside the transaction of its event. */
  async keep(
    transaction: Transaction<Tables>,
    message: Pick<WebhookMessageRow, 'id' | 'organization' | 'url' | 'event' | 'type'>,
  ): Promise<void> {
    const now = this.#now();
    await insertMessage(transaction, {
      ...message,
      status: 'pending',
      attempts: 0,
      next_run_at: now,
      last_error: null,
      created_at: now,
    });
  }

  /** What an address is to be told now, the oldest first. */
  due(place: EndpointKey, limit: number): Promise<WebhookMessageRow[]> {
    return this.#waiting(place)
      .where((build) => isDue(build, this.#now()))
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  async nextDue(place: EndpointKey): Promise<number | undefined> {
    const { due } = await this.#waiting(place)
      .select(({ fn }) => fn.min<number | null>('next_run_at').as('due'))
      .executeTakeFirstOrThrow();
    return due ?? undefined;
  }

  /**
   * Takes a due message, so that no other server sends it in the same minute.
   * @returns it as it is now; nothing where it was not to be had any more.
   */
  claim({ id, next_run_at: dueAt }: WebhookMessageRow): Promise<WebhookMessageRow | undefined> {
    return this.#database.db
      .updateTable('webhook_messages')
      .set({ next_run_at: this.#now() + LOCK_DURATION })
      .where('id', '=', id)
      .where('next_run_at', '=', dueAt)
      .where('status', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
  }

  /** What a message is about. @throws where the database does not have it. */
  async loadSubject({ event: id }: WebhookMessageRow): Promise<Subject> {
    const { db } = this.#database;
    const event = await db
      .selectFrom('outbox')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const renewal =
      event.parent_reference === null
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
        .where('reference', '=', event.parent_reference ?? event.reference)
        .executeTakeFirstOrThrow(),
    };
  }

  /** Whether an address has said that it wants no message any more. */
  async isGone({ organization, url }: EndpointKey): Promise<boolean> {
    return (
      (await this.#database.db
        .selectFrom('webhook_messages')
        .select('id')
        .where('organization', '=', organization)
        .where('url', '=', url)
        .where('status', '=', 'endpoint_gone')
        .limit(1)
        .executeTakeFirst()) !== undefined
    );
  }

  async taken({ id }: WebhookMessageRow): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction.deleteFrom('webhook_messages').where('id', '=', id).execute(),
    );
  }

  async postponed(row: WebhookMessageRow, error: string, dueAt: number): Promise<void> {
    await this.#change(row, { attempts: row.attempts + 1, last_error: error, next_run_at: dueAt });
  }

  async givenUp(row: WebhookMessageRow, error: string): Promise<void> {
    await this.#change(row, { status: 'failed', attempts: row.attempts + 1, last_error: error });
  }

  /** Gives up all that waits for an address that wants no message any more. */
  async gone({ organization, url }: EndpointKey): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('webhook_messages')
        .set({ status: 'endpoint_gone', last_error: 'the receiver wants no messages (status 410)' })
        .where('organization', '=', organization)
        .where('url', '=', url)
        .where('status', '=', 'pending')
        .execute(),
    );
  }

  /** What no address has taken yet, those that the configuration does not have included. */
  unsent(): Promise<UndeliveredMessages[]> {
    return this.#database.db
      .selectFrom('webhook_messages')
      .groupBy(['organization', 'url', 'status'])
      .orderBy('organization')
      .orderBy('url')
      .orderBy('status')
      .select(({ fn }) => [
        'organization',
        'url',
        'status',
        fn.countAll<number>().as('count'),
        fn.min<number>('created_at').as('oldest'),
        fn.max<string | null>('last_error').as('lastError'),
      ])
      .execute();
  }

  /** Lets what an address did not take be tried once more. @returns how much that is. */
  resend({ organization, url }: EndpointKey): Promise<number> {
    return this.#renew({}, (rows) =>
      rows
        .where('organization', '=', organization)
        .where('url', '=', url)
        .where('status', '<>', 'pending'),
    );
  }

  /**
   * Lets all that was to be told to another address of an organisation be told to this one.
   * @returns how much that is.
   */
  move(from: string, { organization, url }: EndpointKey): Promise<number> {
    return this.#renew({ url }, (rows) =>
      rows.where('organization', '=', organization).where('url', '=', from),
    );
  }

  /**
   * Deletes what was kept for 30 days, whatever became of it: also what waits for an address that
   * the configuration does not have.
   */
  async forgetOld(): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('webhook_messages')
        .where('created_at', '<=', this.#now() - RETENTION)
        .execute(),
    );
  }

  #waiting({ organization, url }: EndpointKey) {
    return this.#database.db
      .selectFrom('webhook_messages')
      .where('organization', '=', organization)
      .where('url', '=', url)
      .where('status', '=', 'pending');
  }

  async #renew(
    change: Partial<WebhookMessageRow>,
    those: (
      rows: UpdateQueryBuilder<Tables, 'webhook_messages', 'webhook_messages', UpdateResult>,
    ) => UpdateQueryBuilder<Tables, 'webhook_messages', 'webhook_messages', UpdateResult>,
  ): Promise<number> {
    const now = this.#now();
    const renewed = {
      ...change,
      status: 'pending',
      attempts: 0,
      next_run_at: now,
      created_at: now,
    } as const;
    const { numUpdatedRows } = await this.#database.writer.write((transaction) =>
      those(transaction.updateTable('webhook_messages').set(renewed)).executeTakeFirst(),
    );
    return Number(numUpdatedRows);
  }

  async #change({ id }: WebhookMessageRow, change: Partial<WebhookMessageRow>): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('webhook_messages')
        .set(change)
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .execute(),
    );
  }
}

const insertMessage = createPreparedInsert('webhook_messages', 'id');

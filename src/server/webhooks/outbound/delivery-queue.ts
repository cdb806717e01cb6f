import { claimWebhook, buildIsDueCondition } from '../../database/claims.ts';
import type { Database } from '../../database/database.ts';
import type { WebhookMessageRow } from '../../database/schema.ts';
import type { MessageContext } from './message.ts';

/** Age at which the server deletes undelivered messages, in milliseconds. */
const RETENTION = 30 * 86_400_000;

/**
 * Key of an endpoint. It includes the organization, because two organizations may use the same URL.
 */
export type EndpointKey = Pick<WebhookMessageRow, 'organization' | 'url'>;

/** Number of an endpoint's messages that have the same status. */
export interface MessageCount extends EndpointKey, Pick<WebhookMessageRow, 'status'> {
  readonly count: number;
  /** Creation time of the oldest message, in milliseconds since 1970. */
  readonly oldest: number;
  /** Error from the last attempt to send one of the messages. */
  readonly lastError: string | null;
}

/**
 * Queue of messages to the organizations' own servers. Messages are stored in the database until
 * they are delivered or expire. Each method runs one transaction.
 */
export class DeliveryQueue {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database) {
    this.#database = database;
    this.#now = database.clock.now;
  }

  /** Lists an endpoint's due messages, oldest first. */
  listDueMessages(endpoint: EndpointKey, limit: number): Promise<WebhookMessageRow[]> {
    return this.#selectPendingMessages(endpoint)
      .where((build) => buildIsDueCondition(build, this.#database.clock))
      .selectAll()
      .orderBy('createdAt')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /**
   * Returns the time at which an endpoint's next message is due, in milliseconds since 1970.
   * Returns `undefined` if none is pending.
   */
  async findNextDueTime(endpoint: EndpointKey): Promise<number | undefined> {
    const { time } = await this.#selectPendingMessages(endpoint)
      .select(({ fn }) => fn.min<number | null>('nextRunAt').as('time'))
      .executeTakeFirstOrThrow();
    return time ?? undefined;
  }

  /**
   * Claims a due message so that no other server sends it at the same time.
   * @returns the current row, or `undefined` if the row has changed or another server has claimed
   *   it.
   */
  claimMessage(row: WebhookMessageRow): Promise<WebhookMessageRow | undefined> {
    return claimWebhook(this.#database, { table: 'webhookMessages', row });
  }

  /**
   * Loads the records needed to build a message.
   * @throws {Error} if the event or its donation is missing.
   */
  async loadMessageContext({ event: id }: WebhookMessageRow): Promise<MessageContext> {
    const { db } = this.#database;
    const event = await db
      .selectFrom('outbox')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const renewal =
      event.parentReference === null
        ? undefined
        : await db
            .selectFrom('outbox')
            .selectAll()
            .where('reference', '=', event.reference)
            .where('kind', '=', 'renewal')
            .executeTakeFirst();
    const donation = await db
      .selectFrom('donations')
      .selectAll()
      .where('reference', '=', event.parentReference ?? event.reference)
      .executeTakeFirstOrThrow();
    return { event, renewal, donation };
  }

  /** Returns true if the endpoint responded to an earlier message with 410 Gone. */
  async isEndpointGone({ organization, url }: EndpointKey): Promise<boolean> {
    const message = await this.#database.db
      .selectFrom('webhookMessages')
      .select('id')
      .where('organization', '=', organization)
      .where('url', '=', url)
      .where('status', '=', 'endpoint_gone')
      .limit(1)
      .executeTakeFirst();
    return message !== undefined;
  }

  /** Lists an organization's undelivered messages about the given events to the given URLs. */
  async listMessagesAbout(
    events: readonly string[],
    { organization, urls }: { readonly organization: string; readonly urls: readonly string[] },
  ): Promise<WebhookMessageRow[]> {
    if (events.length === 0 || urls.length === 0) return [];
    return this.#database.db
      .selectFrom('webhookMessages')
      .selectAll()
      .where('organization', '=', organization)
      .where('url', 'in', urls)
      .where('event', 'in', events)
      .execute();
  }

  /** Deletes a delivered message. */
  async deleteDelivered({ id }: WebhookMessageRow): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction.deleteFrom('webhookMessages').where('id', '=', id).execute(),
    );
  }

  /** Schedules the next attempt after a failed attempt. */
  async postponeMessage(row: WebhookMessageRow, error: string, dueAt: number): Promise<void> {
    await this.#updatePendingMessage(row, {
      attempts: row.attempts + 1,
      lastError: error,
      nextRunAt: dueAt,
    });
  }

  /** Marks a message as failed after its last attempt. */
  async markFailed(row: WebhookMessageRow, error: string): Promise<void> {
    await this.#updatePendingMessage(row, {
      status: 'failed',
      attempts: row.attempts + 1,
      lastError: error,
    });
  }

  /** Marks an endpoint's pending messages as undeliverable after a response of 410 Gone. */
  async markEndpointGone({ organization, url }: EndpointKey): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('webhookMessages')
        .set({ status: 'endpoint_gone', lastError: 'status 410 (Gone)' })
        .where('organization', '=', organization)
        .where('url', '=', url)
        .where('status', '=', 'pending')
        .execute(),
    );
  }

  /**
   * Counts undelivered messages by endpoint and status. Includes messages to endpoints that are no
   * longer configured.
   */
  countUndelivered(): Promise<MessageCount[]> {
    return this.#database.db
      .selectFrom('webhookMessages')
      .groupBy(['organization', 'url', 'status'])
      .orderBy('organization')
      .orderBy('url')
      .orderBy('status')
      .select(({ fn }) => [
        'organization',
        'url',
        'status',
        fn.countAll<number>().as('count'),
        fn.min<number>('createdAt').as('oldest'),
        fn.max<string | null>('lastError').as('lastError'),
      ])
      .execute();
  }

  /**
   * Schedules an endpoint's failed messages for immediate delivery, including those that failed
   * with 410 Gone.
   * @returns the number of rescheduled messages.
   */
  async makeFailedMessagesDue({ organization, url }: EndpointKey): Promise<number> {
    const { numUpdatedRows } = await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('webhookMessages')
        .set(this.buildFirstAttemptColumns())
        .where('organization', '=', organization)
        .where('url', '=', url)
        .where('status', '<>', 'pending')
        .executeTakeFirst(),
    );
    return Number(numUpdatedRows);
  }

  /**
   * Redirects an organization's messages from `fromUrl` to the given endpoint, and schedules them
   * for immediate delivery.
   * @returns the number of redirected messages.
   */
  async redirectMessages(fromUrl: string, { organization, url }: EndpointKey): Promise<number> {
    const { numUpdatedRows } = await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('webhookMessages')
        .set({ url, ...this.buildFirstAttemptColumns() })
        .where('organization', '=', organization)
        .where('url', '=', fromUrl)
        .executeTakeFirst(),
    );
    return Number(numUpdatedRows);
  }

  /**
   * Deletes messages that are at least 30 days old, including those to endpoints that are no longer
   * configured.
   */
  async deleteExpired(): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('webhookMessages')
        .where('createdAt', '<=', this.#now() - RETENTION)
        .execute(),
    );
  }

  #selectPendingMessages({ organization, url }: EndpointKey) {
    return this.#database.db
      .selectFrom('webhookMessages')
      .where('organization', '=', organization)
      .where('url', '=', url)
      .where('status', '=', 'pending');
  }

  /** Returns column values for a message that is due now and has all of its attempts left. */
  buildFirstAttemptColumns() {
    const now = this.#now();
    return { status: 'pending', attempts: 0, nextRunAt: now, createdAt: now } as const;
  }

  /**
   * Updates a pending message. Does nothing if the message is no longer pending, for example
   * because the endpoint is gone.
   */
  async #updatePendingMessage(
    { id }: WebhookMessageRow,
    change: Partial<WebhookMessageRow>,
  ): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('webhookMessages')
        .set(change)
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .execute(),
    );
  }
}

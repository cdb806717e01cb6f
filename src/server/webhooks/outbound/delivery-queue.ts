import { claimRow, findNextDueTime, listDueRows } from '../../database/claims.ts';
import type { Database } from '../../database/database.ts';
import type { WebhookMessageRow } from '../../database/schema.ts';

/** Milliseconds. */
const RETENTION = 30 * 86_400_000;

/** Includes the organization, because two organizations may use the same URL. */
export type EndpointKey = Pick<WebhookMessageRow, 'organization' | 'url'>;

export interface MessageCount extends EndpointKey, Pick<WebhookMessageRow, 'status'> {
  readonly count: number;
  /** Creation time of the oldest message, in milliseconds since 1970. */
  readonly oldest: number;
  readonly lastError: string | null;
}

const toPendingCriteria = ({ organization, url }: EndpointKey) =>
  ({ organization, url, status: 'pending' }) as const;

/** Undelivered messages to the organizations' own servers. */
export class DeliveryQueue {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database) {
    this.#database = database;
    this.#now = database.clock.now;
  }

  listDueMessages(endpoint: EndpointKey, limit: number): Promise<WebhookMessageRow[]> {
    return listDueRows(this.#database, 'webhookMessages', toPendingCriteria(endpoint), limit);
  }

  findNextDueTime(endpoint: EndpointKey): Promise<number | undefined> {
    return findNextDueTime(this.#database, 'webhookMessages', toPendingCriteria(endpoint));
  }

  claimMessage(row: WebhookMessageRow): Promise<WebhookMessageRow | undefined> {
    return claimRow(this.#database, 'webhookMessages', row);
  }

  /** True after an earlier response of 410 Gone. */
  async isEndpointGone({ organization, url }: EndpointKey): Promise<boolean> {
    const message = await this.#database.db
      .selectFrom('webhookMessages')
      .select('id')
      .where((build) => build.and({ organization, url, status: 'endpoint_gone' }))
      .limit(1)
      .executeTakeFirst();
    return message !== undefined;
  }

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

  async deleteDelivered({ id }: WebhookMessageRow): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction.deleteFrom('webhookMessages').where('id', '=', id).execute(),
    );
  }

  postponeMessage(row: WebhookMessageRow, error: string, dueAt: number): Promise<void> {
    return this.#recordFailure(row, { lastError: error, nextRunAt: dueAt });
  }

  markFailed(row: WebhookMessageRow, error: string): Promise<void> {
    return this.#recordFailure(row, { lastError: error, status: 'failed' });
  }

  /** Marks pending messages as undeliverable after a response of 410 Gone. */
  async markEndpointGone({ organization, url }: EndpointKey): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('webhookMessages')
        .set({ status: 'endpoint_gone', lastError: 'status 410 (Gone)' })
        .where((build) => build.and({ organization, url, status: 'pending' }))
        .execute(),
    );
  }

  /** Includes messages to endpoints that are no longer configured. */
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

  /** Makes failed messages due now, even after 410 Gone. Returns their number. */
  async makeFailedMessagesDue({ organization, url }: EndpointKey): Promise<number> {
    const { numUpdatedRows } = await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('webhookMessages')
        .set(this.buildFirstAttemptColumns())
        .where((build) => build.and({ organization, url }))
        .where('status', '<>', 'pending')
        .executeTakeFirst(),
    );
    return Number(numUpdatedRows);
  }

  /** Redirects messages, and makes them due now. Returns their number. */
  async redirectMessages(fromUrl: string, { organization, url }: EndpointKey): Promise<number> {
    const { numUpdatedRows } = await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('webhookMessages')
        .set({ url, ...this.buildFirstAttemptColumns() })
        .where((build) => build.and({ organization, url: fromUrl }))
        .executeTakeFirst(),
    );
    return Number(numUpdatedRows);
  }

  /** Deletes messages that are at least 30 days old, even to endpoints that are not configured. */
  async deleteExpired(): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('webhookMessages')
        .where('createdAt', '<=', this.#now() - RETENTION)
        .execute(),
    );
  }

  /** Values for a message that is due now and has all of its attempts left. */
  buildFirstAttemptColumns() {
    const now = this.#now();
    return { status: 'pending', attempts: 0, nextRunAt: now, createdAt: now } as const;
  }

  /** Does nothing if the message is no longer pending, for example because the endpoint is gone. */
  async #recordFailure({ id, attempts }: WebhookMessageRow, change: Partial<WebhookMessageRow>) {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('webhookMessages')
        .set({ ...change, attempts: attempts + 1 })
        .where((build) => build.and({ id, status: 'pending' }))
        .execute(),
    );
  }
}

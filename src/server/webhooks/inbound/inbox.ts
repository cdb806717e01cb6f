import { sql, type Transaction } from 'kysely';
import { isDue } from '../../database/claims.ts';
import { LOCK_DURATION } from '../../donations/outbox-repository.ts';
import type { Database } from '../../database/database.ts';
import type { InboundWebhookRow, Tables } from '../../database/schema.ts';
import type { PlatformName } from '../../organizations/webhook-source.ts';

/** How many an organisation keeps, and how many bytes of them. */
const MAX_ROWS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** How many of the oldest go at once. */
const DELETE_BATCH_SIZE = 100;
/** For how long they are kept, in milliseconds. */
const RETENTION = 30 * 86_400_000;

export type NewWebhook = Pick<
  InboundWebhookRow,
  'id' | 'organization' | 'source' | 'kind' | 'format' | 'body'
> & { readonly hasHook: boolean };

const SUMMARY = [
  'id',
  'organization',
  'source',
  'kind',
  'format',
  'bytes',
  'status',
  'attempts',
  'next_run_at',
  'last_error',
  'received_at',
] as const satisfies readonly (keyof InboundWebhookRow)[];

/** What is known of an event beside its body. */
export type WebhookSummary = Omit<InboundWebhookRow, 'body'>;

/** An organisation has no room left: all that it keeps waits for its hook. */
export class InboxFullError extends Error {
  override readonly name = 'InboxFullError';
}

/** What the platforms told, on disk. Each method is one transaction. */
export class WebhookInbox {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /**
   * Keeps an event, once. Where there is no room, the oldest that wait for nothing go.
   * @returns false where it is known.
   * @throws {InboxFullError}
   */
  keep({ hasHook, ...event }: NewWebhook): Promise<boolean> {
    const now = this.#now();
    const row: InboundWebhookRow = {
      ...event,
      bytes: Buffer.byteLength(event.body),
      status: hasHook ? 'pending' : 'stored',
      attempts: 0,
      next_run_at: now,
      last_error: null,
      received_at: now,
    };
    return this.#database.writer.write(async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('inbound_webhooks')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) return false;
      await deleteOldestIfFull(transaction, row.organization);
      return true;
    });
  }

  /** What the hooks of these platforms are to be told now, the oldest first. */
  async due(
    organization: string,
    sources: readonly PlatformName[],
    limit: number,
  ): Promise<InboundWebhookRow[]> {
    if (sources.length === 0) return [];
    return this.#waiting(organization, sources)
      .where((build) => isDue(build, this.#now()))
      .selectAll()
      .orderBy('received_at')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  async nextDue(
    organization: string,
    sources: readonly PlatformName[],
  ): Promise<number | undefined> {
    if (sources.length === 0) return undefined;
    const { due } = await this.#waiting(organization, sources)
      .select(({ fn }) => fn.min<number | null>('next_run_at').as('due'))
      .executeTakeFirstOrThrow();
    return due ?? undefined;
  }

  /**
   * Takes a due event, so that no other server tells it in the same minute.
   * @returns it as it is now; nothing where it was not to be had any more.
   */
  claim({ id, next_run_at: dueAt }: InboundWebhookRow): Promise<InboundWebhookRow | undefined> {
    return this.#database.db
      .updateTable('inbound_webhooks')
      .set({ next_run_at: this.#now() + LOCK_DURATION })
      .where('id', '=', id)
      .where('next_run_at', '=', dueAt)
      .where('status', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
  }

  async handled({ id }: InboundWebhookRow): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('inbound_webhooks')
        .set({ status: 'handled', last_error: null })
        .where('id', '=', id)
        .execute(),
    );
  }

  async failed({ id, attempts }: InboundWebhookRow, error: string, dueAt: number): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('inbound_webhooks')
        .set({ attempts: attempts + 1, last_error: error, next_run_at: dueAt })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .execute(),
    );
  }

  /** Those whose hook failed, then the others, the latest first. */
  list(limit: number): Promise<WebhookSummary[]> {
    return this.#database.db
      .selectFrom('inbound_webhooks')
      .select(SUMMARY)
      .orderBy(sql`CASE WHEN status = 'pending' AND attempts > 0 THEN 0 ELSE 1 END`)
      .orderBy('received_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  byId(id: string): Promise<InboundWebhookRow | undefined> {
    return this.#database.db
      .selectFrom('inbound_webhooks')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** Deletes what was kept for 30 days, whatever became of it. */
  async forgetOld(): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('inbound_webhooks')
        .where('received_at', '<=', this.#now() - RETENTION)
        .execute(),
    );
  }

  /** @param sources one at least: PostgreSQL takes no empty list. */
  #waiting(organization: string, sources: readonly PlatformName[]) {
    return this.#database.db
      .selectFrom('inbound_webhooks')
      .where('organization', '=', organization)
      .where('status', '=', 'pending')
      .where('source', 'in', sources);
  }
}

async function deleteOldestIfFull(
  transaction: Transaction<Tables>,
  organization: string,
): Promise<void> {
  const own = transaction.selectFrom('inbound_webhooks').where('organization', '=', organization);
  for (;;) {
    const { rows, bytes } = await own
      .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.sum<number>('bytes').as('bytes')])
      .executeTakeFirstOrThrow();
    if (rows <= MAX_ROWS && bytes <= MAX_BYTES) return;
    const oldest = await own
      .select('id')
      .where('status', 'in', ['handled', 'stored'])
      .orderBy('received_at')
      .orderBy('id')
      .limit(DELETE_BATCH_SIZE)
      .execute();
    if (oldest.length === 0)
      throw new InboxFullError(
        `${organization} keeps ${rows} webhooks of ${bytes} bytes, and all of them wait for its hook`,
      );
    await transaction
      .deleteFrom('inbound_webhooks')
      .where(
        'id',
        'in',
        oldest.map(({ id }) => id),
      )
      .execute();
  }
}

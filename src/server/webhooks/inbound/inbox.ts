import { sql, type Transaction } from 'kysely';
import { claimRow, findNextDueTime, listDueRows } from '../../database/claims.ts';
import type { Database } from '../../database/database.ts';
import type { InboundWebhookRow, Tables } from '../../database/schema.ts';
import type { PlatformName } from '../../organizations/webhook-source.ts';

const MAX_ROWS = 10_000;
/** Maximum total size of each inbox, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;
const DELETE_BATCH_SIZE = 100;
/** Milliseconds. */
const RETENTION = 30 * 86_400_000;

export type NewWebhook = Pick<
  InboundWebhookRow,
  'id' | 'organization' | 'source' | 'kind' | 'format' | 'body'
> & { readonly hasHook: boolean };

const SUMMARY_COLUMNS = [
  'id',
  'organization',
  'source',
  'kind',
  'format',
  'bytes',
  'status',
  'attempts',
  'nextRunAt',
  'lastError',
  'receivedAt',
] as const satisfies readonly (keyof InboundWebhookRow)[];

export type WebhookSummary = Omit<InboundWebhookRow, 'body'>;

/** An inbox is full of webhooks that the hook function has not processed yet. */
export class InboxFullError extends Error {
  override readonly name = 'InboxFullError';
}

export class WebhookInbox {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database) {
    this.#database = database;
    this.#now = database.clock.now;
  }

  /**
   * Returns false for a known event. If the inbox is full, deletes old webhooks that are not
   * pending.
   * @throws {InboxFullError} if the full inbox has only pending webhooks.
   */
  insertIfNew({ hasHook, ...webhook }: NewWebhook): Promise<boolean> {
    const now = this.#now();
    const row: InboundWebhookRow = {
      ...webhook,
      bytes: Buffer.byteLength(webhook.body),
      status: hasHook ? 'pending' : 'stored',
      attempts: 0,
      nextRunAt: now,
      lastError: null,
      receivedAt: now,
    };
    return this.#database.writer.write(async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('inboundWebhooks')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) return false;
      await makeRoom(transaction, row.organization);
      return true;
    });
  }

  async listDueWebhooks(organization: string, sources: readonly PlatformName[], limit: number) {
    if (sources.length === 0) return [];
    const criteria = { organization, status: 'pending', source: sources } as const;
    return listDueRows(this.#database, 'inboundWebhooks', criteria, limit);
  }

  /** In milliseconds since 1970. Returns `undefined` if none is pending. */
  async findNextDueTime(organization: string, sources: readonly PlatformName[]) {
    if (sources.length === 0) return undefined;
    const criteria = { organization, status: 'pending', source: sources } as const;
    return findNextDueTime(this.#database, 'inboundWebhooks', criteria);
  }

  claimWebhook(row: InboundWebhookRow): Promise<InboundWebhookRow | undefined> {
    return claimRow(this.#database, 'inboundWebhooks', row);
  }

  markHandled({ id }: InboundWebhookRow): Promise<void> {
    return this.#updateWebhook(id, { status: 'handled', lastError: null });
  }

  postponeHookCall(
    { id, attempts }: InboundWebhookRow,
    error: string,
    dueAt: number,
  ): Promise<void> {
    return this.#updateWebhook(id, { attempts: attempts + 1, lastError: error, nextRunAt: dueAt });
  }

  /** The hook handles only pending webhooks, so no others change. */
  async #updateWebhook(id: string, change: Partial<InboundWebhookRow>): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('inboundWebhooks')
        .set(change)
        .where((build) => build.and({ id, status: 'pending' }))
        .execute(),
    );
  }

  /** Lists webhooks with a failed hook call first, and the newest first within both groups. */
  listWebhooks(limit: number): Promise<WebhookSummary[]> {
    return this.#database.db
      .selectFrom('inboundWebhooks')
      .select(SUMMARY_COLUMNS)
      .orderBy(sql`CASE WHEN status = 'pending' AND attempts > 0 THEN 0 ELSE 1 END`)
      .orderBy('receivedAt', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  findById(id: string): Promise<InboundWebhookRow | undefined> {
    return this.#database.db
      .selectFrom('inboundWebhooks')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** Deletes webhooks that are at least 30 days old, whatever their status. */
  async deleteExpired(): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('inboundWebhooks')
        .where('receivedAt', '<=', this.#now() - RETENTION)
        .execute(),
    );
  }
}

/** If an inbox exceeds its limits, deletes the oldest webhooks that are not pending. */
async function makeRoom(transaction: Transaction<Tables>, organization: string): Promise<void> {
  const inbox = transaction.selectFrom('inboundWebhooks').where('organization', '=', organization);
  for (;;) {
    const { rows, bytes } = await inbox
      .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.sum<number>('bytes').as('bytes')])
      .executeTakeFirstOrThrow();
    if (rows <= MAX_ROWS && bytes <= MAX_BYTES) return;
    const oldest = await inbox
      .select('id')
      .where('status', 'in', ['handled', 'stored'])
      .orderBy('receivedAt')
      .orderBy('id')
      .limit(DELETE_BATCH_SIZE)
      .execute();
    if (oldest.length === 0)
      throw new InboxFullError(
        `The inbox for ${organization} is full: all of its ${rows} webhooks (${bytes} bytes) are waiting for the onPlatformEvent function.`,
      );
    await transaction
      .deleteFrom('inboundWebhooks')
      .where(
        'id',
        'in',
        oldest.map(({ id }) => id),
      )
      .execute();
  }
}

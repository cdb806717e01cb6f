import { sql, type Transaction } from 'kysely';
import { isDue } from '../../database/claims.ts';
import { LOCK_DURATION } from '../../donations/outbox-repository.ts';
import type { Database } from '../../database/database.ts';
import type { PlatformWebhookRow, Tables } from '../../database/schema.ts';
import type { PlatformName } from '../../organizations/webhook-source.ts';

/** How many an organisation keeps, and how many bytes of them. */
const MOST_ROWS = 10_000;
const MOST_BYTES = 32 * 1024 * 1024;
/** How many of the oldest go at once. */
const GO_TOGETHER = 100;
/** For how long they are kept, in milliseconds. */
const KEPT = 30 * 86_400_000;

export type NewWebhook = Pick<
  PlatformWebhookRow,
  'id' | 'organization' | 'source' | 'kind' | 'format' | 'body'
> & { readonly hasHook: boolean };

const SUMMARY = [
  'id',
  'organization',
  'source',
  'kind',
  'format',
  'bytes',
  'state',
  'attempts',
  'next_run_at',
  'last_error',
  'received_at',
] as const satisfies readonly (keyof PlatformWebhookRow)[];

/** What is known of an event beside its body. */
export type WebhookSummary = Omit<PlatformWebhookRow, 'body'>;

/** An organisation has no room left: all that it keeps waits for its hook. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
}

/** What the platforms told, on disk. Each method is one transaction. */
export class WebhookInbox {
  readonly #store: Database;
  readonly #now: () => number;

  constructor(store: Database, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Keeps an event, once. Where there is no room, the oldest that wait for nothing go.
   * @returns false where it is known.
   * @throws {NoRoomError}
   */
  keep({ hasHook, ...event }: NewWebhook): Promise<boolean> {
    const now = this.#now();
    const row: PlatformWebhookRow = {
      ...event,
      bytes: Buffer.byteLength(event.body),
      state: hasHook ? 'waiting' : 'kept',
      attempts: 0,
      next_run_at: now,
      last_error: null,
      received_at: now,
    };
    return this.#store.writer.write(async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('inbound_webhooks')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) return false;
      await makeRoom(transaction, row.organization);
      return true;
    });
  }

  /** What the hooks of these platforms are to be told now, the oldest first. */
  async due(
    organization: string,
    sources: readonly PlatformName[],
    limit: number,
  ): Promise<PlatformWebhookRow[]> {
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
  claim({ id, next_run_at: dueAt }: PlatformWebhookRow): Promise<PlatformWebhookRow | undefined> {
    return this.#store.db
      .updateTable('inbound_webhooks')
      .set({ next_run_at: this.#now() + LOCK_DURATION })
      .where('id', '=', id)
      .where('next_run_at', '=', dueAt)
      .where('state', '=', 'waiting')
      .returningAll()
      .executeTakeFirst();
  }

  async handled({ id }: PlatformWebhookRow): Promise<void> {
    await this.#store.writer.write((transaction) =>
      transaction
        .updateTable('inbound_webhooks')
        .set({ state: 'handled', last_error: null })
        .where('id', '=', id)
        .execute(),
    );
  }

  async failed({ id, attempts }: PlatformWebhookRow, error: string, dueAt: number): Promise<void> {
    await this.#store.writer.write((transaction) =>
      transaction
        .updateTable('inbound_webhooks')
        .set({ attempts: attempts + 1, last_error: error, next_run_at: dueAt })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .execute(),
    );
  }

  /** Those whose hook failed, then the others, the latest first. */
  list(limit: number): Promise<WebhookSummary[]> {
    return this.#store.db
      .selectFrom('inbound_webhooks')
      .select(SUMMARY)
      .orderBy(sql`CASE WHEN state = 'waiting' AND attempts > 0 THEN 0 ELSE 1 END`)
      .orderBy('received_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  byId(id: string): Promise<PlatformWebhookRow | undefined> {
    return this.#store.db
      .selectFrom('inbound_webhooks')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** Deletes what was kept for 30 days, whatever became of it. */
  async forgetOld(): Promise<void> {
    await this.#store.writer.write((transaction) =>
      transaction
        .deleteFrom('inbound_webhooks')
        .where('received_at', '<=', this.#now() - KEPT)
        .execute(),
    );
  }

  /** @param sources one at least: PostgreSQL takes no empty list. */
  #waiting(organization: string, sources: readonly PlatformName[]) {
    return this.#store.db
      .selectFrom('inbound_webhooks')
      .where('organization', '=', organization)
      .where('state', '=', 'waiting')
      .where('source', 'in', sources);
  }
}

async function makeRoom(transaction: Transaction<Tables>, organization: string): Promise<void> {
  const own = transaction.selectFrom('inbound_webhooks').where('organization', '=', organization);
  for (;;) {
    const { rows, bytes } = await own
      .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.sum<number>('bytes').as('bytes')])
      .executeTakeFirstOrThrow();
    if (rows <= MOST_ROWS && bytes <= MOST_BYTES) return;
    const oldest = await own
      .select('id')
      .where('state', 'in', ['handled', 'kept'])
      .orderBy('received_at')
      .orderBy('id')
      .limit(GO_TOGETHER)
      .execute();
    if (oldest.length === 0)
      throw new NoRoomError(
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

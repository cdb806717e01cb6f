import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, ServerBase } from '../database/database.ts';
import { listStoredOrganizations } from '../database/unfinished-work.ts';
import { describeError } from '../lib/describe-error.ts';

/**
 * The previous release saves donations without keys, and keeps the keys of donors that it deletes.
 * Exactly the predicate of the index on these donations.
 */
const HAS_WRONG_KEYS = sql<boolean>`(donor_key IS NULL) = (donor_deleted_at IS NULL)`;

/**
 * Returns the key under which the index has all of a donor's donations.
 * @returns `undefined` if the index lacks donations of the organization, so all must be read.
 */
export async function findDonorKey(
  { db, donorKeys }: Pick<Database, 'db' | 'donorKeys'>,
  organization: string,
  email: string,
): Promise<string | undefined> {
  const missing = await db
    .selectFrom('donations')
    .select('reference')
    .where('organization', '=', organization)
    .where(HAS_WRONG_KEYS)
    .where('donorDeletedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return missing ? undefined : donorKeys.createKey(organization, email);
}

/** Donations per transaction. Small, because other writes wait for each transaction. */
const BATCH_SIZE = 100;
/** Between two transactions, in milliseconds. */
const PAUSE = 10;
/** Between two searches for donations saved by a server of the previous release. */
const INTERVAL = 60_000;

/** Sets the keys of donations that the previous release saved. Several servers can do so at once. */
export class DonorIndexer {
  readonly #options: Pick<ServerBase, 'database' | 'log'>;
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Pick<ServerBase, 'database' | 'log'>) {
    this.#options = options;
  }

  /** Sets keys now and every minute. Resolves once the present donations have keys. */
  wake(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running ??= this.indexDonations(this.#stopped.signal)
      .catch((error: unknown) => {
        this.#options.log.error(describeError(error), 'cannot index donations by donor');
      })
      .finally(() => {
        this.#running = undefined;
        if (!this.#stopped.signal.aborted)
          this.#timer = globalThis.setTimeout(() => void this.wake(), INTERVAL).unref();
      });
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** @param stop signal that, once aborted, ends the work after the current transaction. */
  async indexDonations(stop: AbortSignal): Promise<void> {
    const { database, log } = this.#options;
    let donations = 0;
    for (const organization of await listStoredOrganizations(database.db)) {
      for (let after: string | undefined = ''; after !== undefined && !stop.aborted;) {
        const references = await indexBatch(database, organization, after);
        donations += references.length;
        after = references.length < BATCH_SIZE ? undefined : references.at(-1);
        if (after !== undefined) await setTimeout(PAUSE);
      }
    }
    if (donations > 0)
      log.info({ donations }, 'donations of the previous release indexed by donor');
  }
}

interface Listed {
  readonly column1: string;
  readonly column2: string | null;
  readonly column3: string | null;
}

/** @returns the references of the next donations, whose keys are now right. */
function indexBatch(
  database: Database,
  organization: string,
  after: string,
): Promise<readonly string[]> {
  return database.writer.write(async (transaction) => {
    const rows = await transaction
      .selectFrom('donations')
      .select(['reference', 'payload', 'donorDeletedAt'])
      .where('organization', '=', organization)
      .where(HAS_WRONG_KEYS)
      .where('reference', '>', after)
      .orderBy('reference')
      .limit(BATCH_SIZE)
      // The next run indexes rows that other transactions change at this time.
      .$if(database.isShared, (query) => query.forUpdate().skipLocked())
      .execute();
    if (rows.length === 0) return [];
    const keys = rows.map(({ reference, payload, donorDeletedAt }) => {
      const { donorKey, notifyKey } =
        donorDeletedAt === null
          ? database.donorKeys.createColumns(organization, payload)
          : { donorKey: null, notifyKey: null };
      return sql`(CAST(${reference} AS text), CAST(${donorKey} AS text), CAST(${notifyKey} AS text))`;
    });
    await transaction
      .updateTable('donations')
      .from(sql<Listed>`(VALUES ${sql.join(keys)})`.as('listed'))
      .set({ donorKey: sql.ref('listed.column2'), notifyKey: sql.ref('listed.column3') })
      .whereRef('reference', '=', 'listed.column1')
      .execute();
    return rows.map(({ reference }) => reference);
  });
}

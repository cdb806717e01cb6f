import type { SubscriptionStatus } from '@donation-form/core/donation';
import type { Database } from '../database/database.ts';
import type { Donation, OutboxEntry, OutboxPayload } from '../database/schema.ts';
import { applyTransition } from './apply-transition.ts';
import type { EntryInserter } from './outbox-entries.ts';

/** Stores the renewals of recurring donations and the statuses of their subscriptions. */
export class RenewalRepository {
  readonly #database: Database;
  readonly #insertEntries: EntryInserter;

  constructor(database: Database, insertEntries: EntryInserter) {
    this.#database = database;
    this.#insertEntries = insertEntries;
  }

  findByPayment(organization: string, paymentId: string): Promise<OutboxEntry | undefined> {
    return this.#database.db
      .selectFrom('outbox')
      .selectAll()
      .where('organization', '=', organization)
      .where('paymentId', '=', paymentId)
      .where('kind', '=', 'renewal')
      .executeTakeFirst();
  }

  /**
   * Inserts a renewal once. Its reference is the first donation's with the next number, such as
   * `7K4M9-QXD2P-2`.
   */
  async insertRenewal(
    first: Donation,
    renewal: { readonly id: string; readonly paymentId: string; readonly payload: OutboxPayload },
    mayExistOnPlatform = false,
  ): Promise<void> {
    await this.#database.writer.write(async (transaction) => {
      if (this.#database.isShared)
        await transaction
          .selectFrom('donations')
          .select('reference')
          .where('reference', '=', first.reference)
          .forUpdate()
          .execute();
      const { count } = await transaction
        .selectFrom('outbox')
        .where('parentReference', '=', first.reference)
        .where('kind', '=', 'renewal')
        .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
        .executeTakeFirstOrThrow();
      await this.#insertEntries(
        transaction,
        first.organization,
        [
          {
            ...renewal,
            kind: 'renewal',
            reference: `${first.reference}-${Number(count) + 2}`,
            parentReference: first.reference,
            dispatchedAt: mayExistOnPlatform ? (renewal.payload.at ?? null) : null,
          },
        ],
        this.#database.clock.now(),
      );
    });
  }

  /** Saves a subscription's status and, if it has changed, an entry for the platform. */
  async updateSubscriptionStatus(
    first: Donation,
    status: SubscriptionStatus,
    entry: Pick<OutboxEntry, 'id' | 'payload'>,
  ): Promise<void> {
    await this.#database.writer.write((transaction) =>
      applyTransition(
        transaction,
        first,
        { type: 'subscription_changed', status },
        {
          outboxEntry: { ...entry, dispatchedAt: null },
          insertEntries: this.#insertEntries,
          now: this.#database.clock.now(),
          isShared: this.#database.isShared,
        },
      ),
    );
  }
}

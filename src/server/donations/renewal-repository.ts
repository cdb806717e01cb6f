import type { SubscriptionStatus } from '@donation-form/core/donation';
import type { Database } from '../database/database.ts';
import type { Donation, OutboxEvent, OutboxPayload } from '../database/schema.ts';
import { applyTransition } from './apply-transition.ts';
import type { EventInserter } from './outbox-events.ts';

/** Stores the renewals of recurring donations and the statuses of their subscriptions. */
export class RenewalRepository {
  readonly #database: Database;
  readonly #insertEvents: EventInserter;

  constructor(database: Database, insertEvents: EventInserter) {
    this.#database = database;
    this.#insertEvents = insertEvents;
  }

  /** Finds the event that creates a renewal's gift. */
  findByPayment(organization: string, paymentId: string): Promise<OutboxEvent | undefined> {
    return this.#database.db
      .selectFrom('outbox')
      .selectAll()
      .where('organization', '=', organization)
      .where('paymentId', '=', paymentId)
      .where('kind', '=', 'renewal')
      .executeTakeFirst();
  }

  /**
   * Inserts a renewal once. The renewal's reference is the first donation's reference followed by
   * the next number, such as `7K4M9-QXD2P-2`.
   */
  async insertRenewal(
    first: Donation,
    {
      id,
      paymentId,
      payload,
      mayExistOnPlatform = false,
    }: {
      readonly id: string;
      readonly paymentId: string;
      readonly payload: OutboxPayload;
      readonly mayExistOnPlatform?: boolean | undefined;
    },
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
      await this.#insertEvents(
        transaction,
        first.organization,
        [
          {
            id,
            kind: 'renewal',
            reference: `${first.reference}-${Number(count) + 2}`,
            parentReference: first.reference,
            paymentId,
            payload,
            dispatchedAt: mayExistOnPlatform ? (payload.at ?? null) : null,
          },
        ],
        this.#database.clock.now(),
      );
    });
  }

  /**
   * Saves a subscription's status. If the status has changed, inserts an event for the platform.
   * @param event ID and payload of the event to insert.
   */
  async updateSubscriptionStatus(
    first: Donation,
    status: SubscriptionStatus,
    event: Pick<OutboxEvent, 'id' | 'payload'>,
  ): Promise<void> {
    await this.#database.writer.write((transaction) =>
      applyTransition(
        transaction,
        first,
        { type: 'subscription_changed', status },
        {
          outboxEvent: { ...event, dispatchedAt: null },
          insertEvents: this.#insertEvents,
          now: this.#database.clock.now(),
          isShared: this.#database.isShared,
        },
      ),
    );
  }
}

import type { Insertable, Kysely, UpdateObject } from 'kysely';
import type { Donation, DonationRow, EventKind, GiftState, Tables } from '../database/schema.ts';
import { isDue, isUnclaimed, NEVER } from '../database/claims.ts';
import {
  LOCK_DURATION,
  createEventInserter,
  OutboxRepository,
  type InsertEvents,
  type NewEvent,
  type OutboundWebhooks,
} from './outbox-repository.ts';
import { preparedInsert } from '../database/prepared-insert.ts';
import { PauseRepository } from './pause-repository.ts';
import { ReviewRepository } from './review-repository.ts';
import type { Database } from '../database/database.ts';

type Change = UpdateObject<Tables, 'donations'>;

/** A donation before it is stored. */
export type NewDonation = Pick<
  Donation,
  'reference' | 'idempotency_key_hash' | 'fingerprint' | 'organization' | 'payload'
>;

/** What the processor calls a payment, and how it was paid. */
export type PaymentColumns = Pick<Donation, 'payment_id' | 'subscription_id' | 'payment_method'>;

/** It says whether the gift's key was free. */
const insertIfNew = preparedInsert('donations', 'idempotency_key_hash');

const UNPAID: readonly GiftState[] = ['charging', 'action'];

export interface DonationRepositoryOptions {
  readonly now?: () => number;
  /** Called with every donation that was accepted or changed its state, once the disk has it. */
  readonly onTransition?: (donation: Donation) => void;
  readonly outboundWebhooks?: OutboundWebhooks;
}

/**
 * The gifts on disk. Each method is one transaction; a step that the row's state does not allow
 * changes nothing.
 */
export class DonationRepository {
  /** What happened to them. */
  readonly outbox: OutboxRepository;
  /** What people decided of them. */
  readonly reviewDecisions: ReviewRepository;
  /** Which organisations take none. */
  readonly pauses: PauseRepository;
  readonly outboundWebhooks: OutboundWebhooks | undefined;
  readonly #store: Database;
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;
  readonly #onTransition: (row: Donation) => void;
  readonly #addEvents: InsertEvents;

  constructor(
    store: Database,
    {
      now = Date.now,
      onTransition: onStep = () => undefined,
      outboundWebhooks,
    }: DonationRepositoryOptions = {},
  ) {
    this.outboundWebhooks = outboundWebhooks;
    this.#addEvents = createEventInserter(outboundWebhooks);
    this.outbox = new OutboxRepository(store, now, this.#addEvents);
    this.reviewDecisions = new ReviewRepository(store, now, this.#addEvents);
    this.pauses = new PauseRepository(store, now);
    this.#store = store;
    this.#db = store.db;
    this.#now = now;
    this.#onTransition = onStep;
  }

  /** Whether other servers may be working on the same gifts. */
  get isShared(): boolean {
    return this.#store.isShared;
  }

  /** Keeps a new gift before any money moves. @returns nothing where its key is taken. */
  async insert({
    dueAt,
    ...given
  }: NewDonation & { readonly dueAt: number }): Promise<Donation | undefined> {
    const row = this.#buildRow(given, {
      state: 'charging',
      payment_id: null,
      next_run_at: dueAt,
      locked_until: dueAt,
    });
    const isNew = await this.#store.writer.write((transaction) =>
      insertIfNew(transaction, toRow(row)),
    );
    if (isNew) this.#onTransition(row);
    return isNew ? row : undefined;
  }

  /**
   * Keeps a new gift that no processor knows of, since its money comes another way; the platform is
   * told of it.
   * @returns nothing where its key is taken.
   */
  async insertPledge(given: NewDonation): Promise<Donation | undefined> {
    const row = this.#buildRow(given, {
      state: 'pending',
      payment_id: given.reference,
      next_run_at: NEVER,
      locked_until: 0,
    });
    const isNew = await this.#store.writer.write(async (transaction) => {
      const kept = await insertIfNew(transaction, toRow(row));
      if (kept)
        await this.#addEvents(
          transaction,
          row.organization,
          [buildEvent('gift', row)],
          this.#now(),
        );
      return kept;
    });
    if (isNew)
      for (const state of ['charging', 'pending'] as const) this.#onTransition({ ...row, state });
    return isNew ? row : undefined;
  }

  findByKeyHash(hash: string): Promise<Donation | undefined> {
    return this.#db
      .selectFrom('donations')
      .selectAll()
      .where('idempotency_key_hash', '=', hash)
      .executeTakeFirst();
  }

  findByReference(reference: string): Promise<Donation | undefined> {
    return this.#db
      .selectFrom('donations')
      .selectAll()
      .where('reference', '=', reference)
      .executeTakeFirst();
  }

  findByPayment(organization: string, paymentId: string): Promise<Donation | undefined> {
    return this.#db
      .selectFrom('donations')
      .selectAll()
      .where('organization', '=', organization)
      .where('payment_id', '=', paymentId)
      .executeTakeFirst();
  }

  findBySubscription(organization: string, subscriptionId: string): Promise<Donation | undefined> {
    return this.#db
      .selectFrom('donations')
      .selectAll()
      .where('organization', '=', organization)
      .where('subscription_id', '=', subscriptionId)
      .executeTakeFirst();
  }

  /**
   * Keeps the names of the payment that was opened for a gift, and that a call which charges it is
   * about to be made.
   */
  markChargeStarted(
    reference: string,
    paid: Omit<PaymentColumns, 'payment_method'>,
  ): Promise<Donation> {
    return this.#transition(reference, UNPAID, { ...paid, charge_started_at: this.#now() });
  }

  /** Notes that the donor has to do something first. */
  markRequiresAction(reference: string, paid: PaymentColumns, dueAt: number): Promise<Donation> {
    return this.#transition(reference, UNPAID, {
      ...paid,
      state: 'action',
      next_run_at: dueAt,
      last_error: null,
    });
  }

  /** Notes that the money comes later; the platform is told of the gift. */
  markProcessing(reference: string, paid: PaymentColumns, dueAt: number): Promise<Donation> {
    return this.#transition(
      reference,
      UNPAID,
      { ...paid, state: 'pending', attempts: 0, next_run_at: dueAt, last_error: null },
      { tell: 'gift' },
    );
  }

  /**
   * Notes that the money has moved; the platform is told of the gift, or that a pending one was
   * paid.
   */
  async markSucceeded(reference: string, paid: PaymentColumns): Promise<Donation> {
    const change: Change = { ...paid, state: 'charged', attempts: 0, last_error: null };
    const row = await this.#transition(reference, UNPAID, change, { tell: 'gift' });
    return row.state === 'pending'
      ? this.#transition(reference, ['pending'], change, { tell: 'settled' })
      : row;
  }

  /** Notes that nothing was charged; of a pending gift the platform is told so. */
  async markFailed(reference: string, reason: Donation['decline_reason']): Promise<Donation> {
    const change: Change = { state: 'declined', decline_reason: reason };
    const row = await this.#transition(reference, UNPAID, change);
    return row.state === 'pending'
      ? this.#transition(reference, ['pending'], change, { tell: 'failed' })
      : row;
  }

  /** Notes that nothing was charged, unless a call that charges began since the row was read. */
  markNotCharged(row: Donation): Promise<Donation> {
    return this.#transition(
      row.reference,
      UNPAID,
      { state: 'declined', decline_reason: 'not-charged' },
      { chargedNoLaterThan: row },
    );
  }

  /**
   * Leaves a gift to a person; also one that had ended, where the processor charged it all the
   * same.
   */
  markNeedsReview(row: Donation, paid: PaymentColumns, error: string): Promise<Donation> {
    return this.#transition(row.reference, [row.state], {
      ...paid,
      state: 'held',
      last_error: error,
    });
  }

  /** Leaves a gift's payment for later. */
  postpone(row: Donation, dueAt: number, error: string | null): Promise<Donation> {
    return this.#transition(row.reference, [row.state], {
      next_run_at: dueAt,
      locked_until: 0,
      last_error: error,
      attempts: row.attempts + 1,
    });
  }

  /**
   * Notes that the renewals since a copy of the store was made are known, so that webhooks may tell
   * of more.
   * @param from since when they were asked for.
   */
  async clearRestoredMark(organization: string, from: number): Promise<void> {
    await this.#store.writer.write((transaction) =>
      transaction
        .updateTable('donations')
        .set({ restored_at: null })
        .where('organization', '=', organization)
        .where('restored_at', '>=', from)
        .where('subscription_id', 'is not', null)
        .where('state', 'in', ['charged', 'pending'])
        .execute(),
    );
  }

  /** Those that wait for a person, the oldest first. */
  listByState(state: GiftState, limit: number): Promise<Donation[]> {
    return this.#db
      .selectFrom('donations')
      .selectAll()
      .where('state', '=', state)
      .orderBy('created_at')
      .limit(limit)
      .execute();
  }

  /** The gifts of the given states whose payments are to be looked at, the oldest first. */
  listDue(organization: string, states: readonly GiftState[], limit: number): Promise<Donation[]> {
    return this.#selectInStates(organization, states)
      .where((build) => isDue(build, this.#now()))
      .selectAll()
      .orderBy('created_at')
      .limit(limit)
      .execute();
  }

  /**
   * Takes a gift that no server is working on, as it stands in the row, for this one.
   * @returns it as it is now; nothing where it was not to be had.
   */
  claim({ reference, next_run_at: dueAt }: Donation): Promise<Donation | undefined> {
    const now = this.#now();
    const until = now + LOCK_DURATION;
    return this.#db
      .updateTable('donations')
      .set({ next_run_at: until, locked_until: until })
      .where('reference', '=', reference)
      .where('next_run_at', '=', dueAt)
      .where((build) => isUnclaimed(build, now))
      .returningAll()
      .executeTakeFirst();
  }

  /** When the next gift of the given states is due. */
  async findNextDueTime(
    organization: string,
    states: readonly GiftState[],
  ): Promise<number | undefined> {
    const { due } = await this.#selectInStates(organization, states)
      .select(({ fn }) => fn.min<number | null>('next_run_at').as('due'))
      .executeTakeFirstOrThrow();
    return due ?? undefined;
  }

  #buildRow(
    given: NewDonation,
    begun: Pick<Donation, 'state' | 'payment_id' | 'next_run_at' | 'locked_until'>,
  ): Donation {
    const now = this.#now();
    return {
      ...given,
      ...begun,
      subscription_id: null,
      subscription_status: null,
      payment_method: null,
      decline_reason: null,
      platform_gift_id: null,
      attempts: 0,
      charge_started_at: now,
      last_error: null,
      created_at: now,
      updated_at: now,
      redacted_at: null,
      redacted_by: null,
      restored_at: null,
    };
  }

  #selectInStates(organization: string, states: readonly GiftState[]) {
    return this.#db
      .selectFrom('donations')
      .where('organization', '=', organization)
      .where('state', 'in', states);
  }

  /**
   * @param tell what the platform is told of it.
   * @param chargedNoLaterThan the step is taken only where no charge began since this was read:
   *   clocks of several servers differ, so that the payment tells too.
   */
  async #transition(
    reference: string,
    from: readonly GiftState[],
    change: Change,
    {
      tell,
      chargedNoLaterThan: read,
    }: { readonly tell?: EventKind; readonly chargedNoLaterThan?: Donation } = {},
  ): Promise<Donation> {
    const { row, moved } = await this.#store.writer.write(async (transaction) => {
      const step = transaction
        .updateTable('donations')
        .set({ ...change, updated_at: this.#now() })
        .where('reference', '=', reference)
        .where('state', 'in', from);
      const moved = await (
        read === undefined
          ? step
          : step
              .where('charge_started_at', '<=', read.charge_started_at)
              .where('payment_id', read.payment_id === null ? 'is' : '=', read.payment_id)
      )
        .returningAll()
        .executeTakeFirst();
      if (moved && tell)
        await this.#addEvents(
          transaction,
          moved.organization,
          [buildEvent(tell, moved)],
          this.#now(),
        );
      const row =
        moved ??
        (await transaction
          .selectFrom('donations')
          .selectAll()
          .where('reference', '=', reference)
          .executeTakeFirst());
      if (!row) throw new Error(`no gift ${reference} in the journal`);
      return { row, moved };
    });
    if (moved && change.state !== undefined) this.#onTransition(row);
    return row;
  }
}

/** A donation as it is written. */
function toRow(donation: Donation): Insertable<DonationRow> {
  return { ...donation, payload: JSON.stringify(donation.payload) };
}

function buildEvent(
  kind: EventKind,
  { reference, restored_at: sendingBeganAt }: Donation,
): NewEvent {
  return { id: `${kind} ${reference}`, reference, kind, dispatched_at: sendingBeganAt };
}

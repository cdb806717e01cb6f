import type { Awaiting, DonationStatus } from '@donation-form/core/donation';
import type { Insertable, Kysely, UpdateObject } from 'kysely';
import type { Donation, DonationRow, OutboxEventKind, Tables } from '../database/schema.ts';
import {
  buildIsDueCondition,
  buildIsUnclaimedCondition,
  LOCK_DURATION,
  NEVER,
} from '../database/claims.ts';
import {
  createOutboxEventInserter,
  OutboxRepository,
  type EventInserter,
  type NewEvent,
  type OutboundWebhooks,
} from './outbox-repository.ts';
import { createPreparedInsert } from '../database/prepared-insert.ts';
import { PauseRepository } from './pause-repository.ts';
import { ReviewRepository } from './review-repository.ts';
import type { Database } from '../database/database.ts';

type DonationUpdate = UpdateObject<Tables, 'donations'>;

/** A donation before it is stored. */
export type NewDonation = Pick<
  Donation,
  'reference' | 'idempotency_key_hash' | 'fingerprint' | 'organization' | 'payload'
>;

/** The provider's IDs for a payment, and the payment method. */
export type PaymentColumns = Pick<Donation, 'payment_id' | 'subscription_id' | 'payment_method'>;

/** Returns false if the idempotency key is already taken. */
const insertIfNew = createPreparedInsert('donations', 'idempotency_key_hash');

const UNPAID: readonly DonationStatus[] = ['unconfirmed', 'requires_action'];

export interface DonationRepositoryOptions {
  /**
   * Called after each commit that adds a donation or changes its status, including changes made by
   * a review decision.
   */
  readonly onTransition?: (donation: Donation) => void;
  readonly outboundWebhooks?: OutboundWebhooks;
}

/**
 * Stores donations. Each method runs one transaction. If a donation's status does not allow a
 * transition, the method changes nothing.
 */
export class DonationRepository {
  readonly outbox: OutboxRepository;
  readonly reviewDecisions: ReviewRepository;
  readonly pauses: PauseRepository;
  readonly outboundWebhooks: OutboundWebhooks | undefined;
  readonly #database: Database;
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;
  readonly #onTransition: (row: Donation) => void;
  readonly #insertEvents: EventInserter;

  constructor(
    database: Database,
    { onTransition = () => undefined, outboundWebhooks }: DonationRepositoryOptions = {},
  ) {
    this.outboundWebhooks = outboundWebhooks;
    this.#insertEvents = createOutboxEventInserter(outboundWebhooks);
    const { now } = database.clock;
    this.outbox = new OutboxRepository(database, this.#insertEvents);
    this.reviewDecisions = new ReviewRepository({
      database,
      now,
      insertEvents: this.#insertEvents,
      onTransition,
    });
    this.pauses = new PauseRepository(database, now);
    this.#database = database;
    this.#db = database.db;
    this.#now = now;
    this.#onTransition = onTransition;
  }

  /** True if several servers share the database. */
  get isShared(): boolean {
    return this.#database.isShared;
  }

  /**
   * Inserts a donation before it is charged.
   * @returns `undefined` if the idempotency key is already taken.
   */
  async insertDonationIfNew({
    dueAt,
    ...donation
  }: NewDonation & { readonly dueAt: number }): Promise<Donation | undefined> {
    const row = this.#buildRow(donation, {
      status: 'unconfirmed',
      awaiting: null,
      payment_id: null,
      next_run_at: dueAt,
      locked_until: dueAt,
    });
    const isNew = await this.#database.writer.write((transaction) =>
      insertIfNew(transaction, toInsertableRow(row)),
    );
    if (isNew) this.#onTransition(row);
    return isNew ? row : undefined;
  }

  /**
   * Inserts a donation that is paid outside any provider, and notifies the platform of it.
   * @returns `undefined` if the idempotency key is already taken.
   */
  async insertPledgeIfNew(donation: NewDonation): Promise<Donation | undefined> {
    const row = this.#buildRow(donation, {
      status: 'processing',
      awaiting: 'donor',
      payment_id: donation.reference,
      next_run_at: NEVER,
      locked_until: 0,
    });
    const isNew = await this.#database.writer.write(async (transaction) => {
      const isInserted = await insertIfNew(transaction, toInsertableRow(row));
      if (isInserted)
        await this.#insertEvents(
          transaction,
          row.organization,
          [buildOutboxEvent('donation', row)],
          this.#now(),
        );
      return isInserted;
    });
    if (isNew)
      for (const status of ['unconfirmed', 'processing'] as const)
        this.#onTransition({ ...row, status });
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

  /** Saves the payment's IDs and the charge's start time. Call this before charging the payment. */
  markChargeStarted(
    reference: string,
    paymentIds: Omit<PaymentColumns, 'payment_method'>,
  ): Promise<Donation> {
    return this.#changeStatusIfAllowed(reference, UNPAID, {
      ...paymentIds,
      charge_started_at: this.#now(),
    });
  }

  /** Marks a donation as waiting for the donor, for example to confirm the payment. */
  markRequiresAction(reference: string, payment: PaymentColumns, dueAt: number): Promise<Donation> {
    return this.#changeStatusIfAllowed(reference, UNPAID, {
      ...payment,
      status: 'requires_action',
      next_run_at: dueAt,
      last_error: null,
    });
  }

  /**
   * Marks a donation as about to be charged, because the donor approved it on the provider's page.
   * From then on, the donor cannot cancel it.
   */
  markApproved(reference: string, dueAt: number): Promise<Donation> {
    return this.#changeStatusIfAllowed(reference, ['requires_action'], {
      status: 'unconfirmed',
      attempts: 0,
      next_run_at: dueAt,
      last_error: null,
    });
  }

  /** Marks a donation whose money will arrive later, and notifies the platform. */
  markProcessing(
    reference: string,
    payment: PaymentColumns,
    awaiting: Awaiting,
    dueAt: number,
  ): Promise<Donation> {
    return this.#changeStatusIfAllowed(
      reference,
      UNPAID,
      {
        ...payment,
        status: 'processing',
        awaiting,
        attempts: 0,
        next_run_at: dueAt,
        last_error: null,
      },
      { event: 'donation' },
    );
  }

  /**
   * Marks a donation as charged, and notifies the platform. If the donation was processing, the
   * platform learns of the settlement; otherwise, of the donation.
   */
  async markSucceeded(reference: string, payment: PaymentColumns): Promise<Donation> {
    const change: DonationUpdate = {
      ...payment,
      status: 'succeeded',
      awaiting: null,
      attempts: 0,
      last_error: null,
    };
    const row = await this.#changeStatusIfAllowed(reference, UNPAID, change, { event: 'donation' });
    return row.status === 'processing'
      ? this.#changeStatusIfAllowed(reference, ['processing'], change, { event: 'payment_settled' })
      : row;
  }

  /**
   * Marks a donation as failed. If the donation was processing, notifies the platform. Does not
   * change a donation that was waiting for the donor if another server has begun to charge it.
   */
  async markFailed(
    { reference, status }: Pick<Donation, 'reference' | 'status'>,
    reason: Donation['failure_reason'],
  ): Promise<Donation> {
    const change: DonationUpdate = { status: 'failed', awaiting: null, failure_reason: reason };
    const from = status === 'requires_action' ? [status] : UNPAID;
    const row = await this.#changeStatusIfAllowed(reference, from, change);
    return row.status === 'processing'
      ? this.#changeStatusIfAllowed(reference, ['processing'], change, { event: 'payment_failed' })
      : row;
  }

  /** Marks a donation as failed unless a charge has started since the row was read. */
  markFailedUnlessCharged(
    row: Donation,
    reason: Donation['failure_reason'] = 'payment-failed',
  ): Promise<Donation> {
    return this.#changeStatusIfAllowed(
      row.reference,
      UNPAID,
      { status: 'failed', failure_reason: reason },
      { unchargedSince: row },
    );
  }

  /**
   * Marks a donation for manual review. Also marks a failed donation, if the provider charged it
   * later.
   */
  markNeedsReview(row: Donation, payment: PaymentColumns, error: string): Promise<Donation> {
    return this.#changeStatusIfAllowed(row.reference, [row.status], {
      ...payment,
      status: 'needs_review',
      last_error: error,
    });
  }

  /** Schedules the next check of a donation's payment. */
  postponePaymentCheck(row: Donation, dueAt: number, error: string | null): Promise<Donation> {
    return this.#changeStatusIfAllowed(row.reference, [row.status], {
      next_run_at: dueAt,
      locked_until: 0,
      last_error: error,
      attempts: row.attempts + 1,
    });
  }

  /**
   * Marks an organization's restored donations as complete, so that webhooks add renewals again.
   * Call this once all renewals since the backup are known.
   * @param from start of the period for which renewals were fetched.
   */
  async clearRestoredMark(organization: string, from: number): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('donations')
        .set({ restored_at: null })
        .where('organization', '=', organization)
        .where('restored_at', '>=', from)
        .where('subscription_id', 'is not', null)
        .where('status', 'in', ['succeeded', 'processing'])
        .execute(),
    );
  }

  /** Lists donations that have the given status, oldest first. */
  listByStatus(status: DonationStatus, limit: number): Promise<Donation[]> {
    return this.#db
      .selectFrom('donations')
      .selectAll()
      .where('status', '=', status)
      .orderBy('created_at')
      .limit(limit)
      .execute();
  }

  /** Lists donations whose payments are due for a check, oldest first. */
  listDueForPaymentCheck(
    organization: string,
    statuses: readonly DonationStatus[],
    limit: number,
  ): Promise<Donation[]> {
    return this.#selectDonationsByStatus(organization, statuses)
      .where((build) => buildIsDueCondition(build, this.#database.clock))
      .selectAll()
      .orderBy('created_at')
      .limit(limit)
      .execute();
  }

  /**
   * Locks a donation for this server.
   * @returns the locked row, or `undefined` if the row has changed or another server has locked it.
   */
  claimForPaymentCheck({ reference, next_run_at: dueAt }: Donation): Promise<Donation | undefined> {
    const { clock } = this.#database;
    const until = clock.in(LOCK_DURATION);
    return this.#db
      .updateTable('donations')
      .set({ next_run_at: until, locked_until: until })
      .where('reference', '=', reference)
      .where('next_run_at', '=', dueAt)
      .where((build) => buildIsUnclaimedCondition(build, clock))
      .returningAll()
      .executeTakeFirst();
  }

  /** Returns the time of the next payment check, in milliseconds since 1970. */
  async findNextPaymentCheckTime(
    organization: string,
    statuses: readonly DonationStatus[],
  ): Promise<number | undefined> {
    const { due } = await this.#selectDonationsByStatus(organization, statuses)
      .select(({ fn }) => fn.min<number | null>('next_run_at').as('due'))
      .executeTakeFirstOrThrow();
    return due ?? undefined;
  }

  #buildRow(
    donation: NewDonation,
    initial: Pick<Donation, 'status' | 'awaiting' | 'payment_id' | 'next_run_at' | 'locked_until'>,
  ): Donation {
    const now = this.#now();
    return {
      ...donation,
      ...initial,
      subscription_id: null,
      subscription_status: null,
      payment_method: null,
      failure_reason: null,
      platform_gift_id: null,
      attempts: 0,
      charge_started_at: now,
      last_error: null,
      created_at: now,
      updated_at: now,
      donor_deleted_at: null,
      donor_deleted_by: null,
      restored_at: null,
    };
  }

  #selectDonationsByStatus(organization: string, statuses: readonly DonationStatus[]) {
    return this.#db
      .selectFrom('donations')
      .where('organization', '=', organization)
      .where('status', 'in', statuses);
  }

  /**
   * Changes a donation if it has one of the given statuses.
   * @param options.event event to send to the platform.
   * @param options.unchargedSince a row; changes the donation only if no charge has started since
   *   that row was read. Also compares the payment ID, because the times may come from two servers.
   * @returns the current row, whether or not it was changed.
   */
  async #changeStatusIfAllowed(
    reference: string,
    from: readonly DonationStatus[],
    change: DonationUpdate,
    {
      event,
      unchargedSince,
    }: { readonly event?: OutboxEventKind; readonly unchargedSince?: Donation } = {},
  ): Promise<Donation> {
    const { row, isChanged } = await this.#database.writer.write(async (transaction) => {
      const update = transaction
        .updateTable('donations')
        .set({ ...change, updated_at: this.#now() })
        .where('reference', '=', reference)
        .where('status', 'in', from);
      const changed = await (
        unchargedSince === undefined
          ? update
          : update
              .where('charge_started_at', '<=', unchargedSince.charge_started_at)
              .where(
                'payment_id',
                unchargedSince.payment_id === null ? 'is' : '=',
                unchargedSince.payment_id,
              )
      )
        .returningAll()
        .executeTakeFirst();
      if (changed && event)
        await this.#insertEvents(
          transaction,
          changed.organization,
          [buildOutboxEvent(event, changed)],
          this.#now(),
        );
      const row =
        changed ??
        (await transaction
          .selectFrom('donations')
          .selectAll()
          .where('reference', '=', reference)
          .executeTakeFirst());
      if (!row) throw new Error(`donation ${reference} not found`);
      return { row, isChanged: changed !== undefined };
    });
    if (isChanged && change.status !== undefined) this.#onTransition(row);
    return row;
  }
}

function toInsertableRow(donation: Donation): Insertable<DonationRow> {
  return { ...donation, payload: JSON.stringify(donation.payload) };
}

function buildOutboxEvent(
  kind: OutboxEventKind,
  { reference, restored_at: restoredAt }: Donation,
): NewEvent {
  return { id: `${kind} ${reference}`, reference, kind, dispatched_at: restoredAt };
}

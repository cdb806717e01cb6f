import { type Kysely, type RawBuilder, sql, type UpdateObject } from 'kysely';
import type { DonationStatus } from '@donation-form/core/donation';
import {
  buildIsDueCondition,
  buildIsUnclaimedCondition,
  LOCK_DURATION,
  NEVER,
} from '../database/claims.ts';
import { compileLookup } from '../database/compiled-queries.ts';
import type { Database } from '../database/database.ts';
import { toInsertableRow } from '../database/row-mapper.ts';
import type { Donation, OutboxEntry, OutboxEntryKind, Tables } from '../database/schema.ts';
import { IS_OF_ANY_ORGANIZATION, OLDEST_FIRST } from '../database/unfinished-work.ts';
import { BatchQueue } from '../lib/batch-queue.ts';
import { applyTransition, buildOutboxEntry, type SeenDonation } from './apply-transition.ts';
import {
  buildOutboxRow,
  createEntryInserter,
  type EntryInserter,
  type OutboundWebhooks,
} from './outbox-entries.ts';
import { OutboxRepository } from './outbox-repository.ts';
import { PauseRepository } from './pause-repository.ts';
import { RenewalRepository } from './renewal-repository.ts';
import { ReviewRepository } from './review-repository.ts';
import { type DonationTrigger, INITIAL_STATE, transition } from './transition.ts';

export type NewDonation = Pick<
  Donation,
  'reference' | 'idempotencyKeyHash' | 'fingerprint' | 'organization' | 'payload'
>;

export type PaymentColumns = Pick<Donation, 'paymentId' | 'subscriptionId' | 'paymentMethod'>;

export interface DonationRepositoryOptions {
  /** Called after each commit that adds a donation or changes its status. */
  readonly onTransition?: (donation: Donation) => void;
  readonly outboundWebhooks?: OutboundWebhooks;
}

/** Each method runs one transaction, and changes nothing if the transition is not allowed. */
export class DonationRepository {
  readonly outbox: OutboxRepository;
  readonly renewals: RenewalRepository;
  readonly reviewDecisions: ReviewRepository;
  readonly pauses: PauseRepository;
  readonly outboundWebhooks: OutboundWebhooks | undefined;
  readonly findByKeyHash: (hash: string) => Promise<Donation | undefined>;
  readonly findByReference: (reference: string) => Promise<Donation | undefined>;
  readonly #database: Database;
  readonly #now: () => number;
  readonly #onTransition: (row: Donation) => void;
  readonly #insertEntries: EntryInserter;

  constructor(
    database: Database,
    { onTransition = () => undefined, outboundWebhooks }: DonationRepositoryOptions = {},
  ) {
    this.outboundWebhooks = outboundWebhooks;
    this.#insertEntries = createEntryInserter(outboundWebhooks);
    const { now } = database.clock;
    this.outbox = new OutboxRepository(database, this.#insertEntries);
    this.renewals = new RenewalRepository(database, this.#insertEntries);
    this.reviewDecisions = new ReviewRepository(database, this.#insertEntries, onTransition);
    this.pauses = new PauseRepository(database, now);
    this.#database = database;
    this.#now = now;
    this.#onTransition = onTransition;
    this.findByKeyHash = database.isShared
      ? createSharedKeyLookup(database.db)
      : compileLookup(
          database,
          this.#database.db
            .selectFrom('donations')
            .selectAll()
            .where('idempotencyKeyHash', '=', ''),
        );
    this.findByReference = compileLookup(
      database,
      this.#database.db.selectFrom('donations').selectAll().where('reference', '=', ''),
    );
  }

  get isShared(): boolean {
    return this.#database.isShared;
  }

  /** @returns `undefined` if the idempotency key is already taken. */
  async insertDonation({
    dueAt,
    ...donation
  }: NewDonation & { readonly dueAt: number }): Promise<Donation | undefined> {
    const row = this.#buildRow(donation, {
      paymentId: null,
      nextRunAt: dueAt,
      lockedUntil: dueAt,
    });
    const isNew = await this.#database.writer.insertDonation({
      donations: [toInsertableRow(row)],
      outbox: [],
      webhookMessages: [],
    });
    if (isNew) this.#onTransition(row);
    return isNew ? row : undefined;
  }

  /** @returns `undefined` if the idempotency key is already taken. */
  async insertPledge(donation: NewDonation): Promise<Donation | undefined> {
    const accepted = this.#buildRow(donation, {
      paymentId: donation.reference,
      nextRunAt: NEVER,
      lockedUntil: 0,
    });
    const { change, notify } = transition(accepted, { type: 'accepted', awaiting: 'donor' })!;
    const row = { ...accepted, ...change };
    const event = notify && this.#buildOutboxRow(notify, row);
    const isNew = await this.#database.writer.insertDonation({
      donations: [toInsertableRow(row)],
      outbox: event ? [toInsertableRow(event)] : [],
      webhookMessages: (event && this.outboundWebhooks?.buildMessages(event, row.status)) ?? [],
    });
    if (!isNew) return undefined;
    this.#onTransition(accepted);
    this.#onTransition(row);
    return row;
  }

  findByPayment(organization: string, paymentId: string): Promise<Donation | undefined> {
    return this.#database.db
      .selectFrom('donations')
      .selectAll()
      .where('organization', '=', organization)
      .where('paymentId', '=', paymentId)
      .executeTakeFirst();
  }

  findBySubscription(organization: string, subscriptionId: string): Promise<Donation | undefined> {
    return this.#database.db
      .selectFrom('donations')
      .selectAll()
      .where('organization', '=', organization)
      .where('subscriptionId', '=', subscriptionId)
      .executeTakeFirst();
  }

  /** Call this method before charging the payment. Keeps a different payment's IDs. */
  markChargeStarted(
    row: SeenDonation,
    paymentIds: Omit<PaymentColumns, 'paymentMethod'>,
  ): Promise<Donation> {
    return this.#applyTrigger(
      row,
      { type: 'charge_started', paymentId: paymentIds.paymentId },
      { ...paymentIds, chargeStartedAt: this.#buildChargeStart() },
    );
  }

  markRequiresAction(row: SeenDonation, payment: PaymentColumns, dueAt: number): Promise<Donation> {
    return this.#applyTrigger(
      row,
      { type: 'action_required', seen: row },
      { ...payment, nextRunAt: dueAt, lastError: null },
    );
  }

  /**
   * Records that the donor approved a donation on the provider's page and that the charge is about
   * to start. From then on, the donor cannot cancel it, and no other server marks it as failed.
   * @returns the current row. `isFirst` is true for the first attempt to charge the donation.
   */
  async markApproved(
    row: SeenDonation,
    paymentIds: Omit<PaymentColumns, 'paymentMethod'>,
    dueAt: number,
  ): Promise<{ readonly donation: Donation; readonly isFirst: boolean }> {
    const columns = {
      ...paymentIds,
      chargeStartedAt: this.#buildChargeStart(),
      lastError: null,
    };
    const first = await this.#tryToApplyTrigger(
      row,
      { type: 'approved' },
      { ...columns, attempts: 0, nextRunAt: dueAt },
    );
    if (first.isChanged) return { donation: first.row, isFirst: true };
    const trigger = { type: 'charge_started', paymentId: paymentIds.paymentId } as const;
    return { donation: await this.#applyTrigger(first.row, trigger, columns), isFirst: false };
  }

  markProcessing(row: SeenDonation, payment: PaymentColumns, dueAt: number): Promise<Donation> {
    return this.#applyTrigger(
      row,
      { type: 'accepted', awaiting: 'bank' },
      { ...payment, attempts: 0, nextRunAt: dueAt, lastError: null },
    );
  }

  markSucceeded(row: SeenDonation, payment: PaymentColumns): Promise<Donation> {
    return this.#applyTrigger(
      row,
      { type: 'succeeded' },
      { ...payment, attempts: 0, lastError: null },
    );
  }

  markFailed(row: SeenDonation, reason: Donation['failureReason']): Promise<Donation> {
    return this.#applyTrigger(row, { type: 'failed', seenStatus: row.status, reason });
  }

  markNotCharged(
    row: SeenDonation,
    reason: Donation['failureReason'] = 'payment-failed',
  ): Promise<Donation> {
    return this.#applyTrigger(row, { type: 'not_charged', seen: row, reason });
  }

  /** Marks a donation for review, such as a failed one that was charged later. */
  markNeedsReview(row: SeenDonation, payment: PaymentColumns, error: string): Promise<Donation> {
    return this.#applyTrigger(
      row,
      { type: 'contradicted', seenStatus: row.status },
      { ...payment, lastError: error },
    );
  }

  async postponePaymentCheck(
    { reference, status, attempts }: Donation,
    dueAt: number,
    error: string | null,
  ): Promise<Donation> {
    return this.#database.writer.write(async (transaction) => {
      const postponed = await transaction
        .updateTable('donations')
        .set({
          nextRunAt: dueAt,
          lockedUntil: 0,
          lastError: error,
          attempts: attempts + 1,
          updatedAt: this.#now(),
        })
        .where('reference', '=', reference)
        .where('status', '=', status)
        .returningAll()
        .executeTakeFirst();
      return (
        postponed ??
        transaction
          .selectFrom('donations')
          .selectAll()
          .where('reference', '=', reference)
          .executeTakeFirstOrThrow()
      );
    });
  }

  /**
   * Clears the mark of a restored backup, so that the server accepts renewal webhooks again. Call
   * this method after fetching all renewals since the backup.
   * @param from start of the fetched period, in milliseconds since 1970.
   */
  async clearRestoredMark(organization: string, from: number): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('donations')
        .set({ restoredAt: null })
        .where('organization', '=', organization)
        .where('restoredAt', '>=', from)
        .where('subscriptionId', 'is not', null)
        .where('status', 'in', ['succeeded', 'processing'])
        .execute(),
    );
  }

  listByStatus(status: DonationStatus, limit: number): Promise<Donation[]> {
    return this.#database.db
      .selectFrom('donations')
      .selectAll()
      .where(IS_OF_ANY_ORGANIZATION)
      .where('status', '=', status)
      .orderBy(OLDEST_FIRST)
      .limit(limit)
      .execute();
  }

  listDueForPaymentCheck(
    organization: string,
    statuses: readonly DonationStatus[],
    limit: number,
  ): Promise<Donation[]> {
    return this.#selectDonationsByStatus(organization, statuses)
      .where((build) => buildIsDueCondition(build, this.#database.clock))
      .selectAll()
      .orderBy(OLDEST_FIRST)
      .limit(limit)
      .execute();
  }

  /** @returns the locked row, or `undefined` if it has changed or another server has locked it. */
  claimForPaymentCheck(
    { reference, nextRunAt: dueAt }: Donation,
    duration = LOCK_DURATION,
  ): Promise<Donation | undefined> {
    const { clock } = this.#database;
    const until = clock.in(duration);
    return this.#database.db
      .updateTable('donations')
      .set({ nextRunAt: until, lockedUntil: until })
      .where('reference', '=', reference)
      .where('nextRunAt', '=', dueAt)
      .where((build) => buildIsUnclaimedCondition(build, clock))
      .returningAll()
      .executeTakeFirst();
  }

  async findNextPaymentCheckTime(
    organization: string,
    statuses: readonly DonationStatus[],
  ): Promise<number | undefined> {
    const { due } = await this.#selectDonationsByStatus(organization, statuses)
      .select(({ fn }) => fn.min<number | null>('nextRunAt').as('due'))
      .executeTakeFirstOrThrow();
    return due ?? undefined;
  }

  #buildOutboxRow(kind: OutboxEntryKind, row: Donation): OutboxEntry {
    return buildOutboxRow(row.organization, buildOutboxEntry(kind, row), this.#now());
  }

  #buildRow(
    donation: NewDonation,
    initial: Pick<Donation, 'paymentId' | 'nextRunAt' | 'lockedUntil'>,
  ): Donation {
    const now = this.#now();
    return {
      ...donation,
      ...INITIAL_STATE,
      ...initial,
      subscriptionId: null,
      paymentMethod: null,
      platformGiftId: null,
      attempts: 0,
      chargeStartedAt: now,
      lastError: null,
      createdAt: now,
      updatedAt: now,
      donorDeletedAt: null,
      donorDeletedBy: null,
      restoredAt: null,
    };
  }

  /** Different for each charge of a payment, so that {@link transition} can tell them apart. */
  #buildChargeStart(): RawBuilder<number> {
    const now = this.#now();
    return sql<number>`CASE WHEN charge_started_at = ${now} AND payment_id IS NOT NULL
      THEN charge_started_at + 1 ELSE ${now} END`;
  }

  #selectDonationsByStatus(organization: string, statuses: readonly DonationStatus[]) {
    return this.#database.db
      .selectFrom('donations')
      .where('organization', '=', organization)
      .where('status', 'in', statuses);
  }

  async #applyTrigger(
    row: SeenDonation,
    trigger: DonationTrigger,
    columns?: UpdateObject<Tables, 'donations'>,
  ): Promise<Donation> {
    return (await this.#tryToApplyTrigger(row, trigger, columns)).row;
  }

  async #tryToApplyTrigger(
    row: SeenDonation,
    trigger: DonationTrigger,
    columns?: UpdateObject<Tables, 'donations'>,
  ): ReturnType<typeof applyTransition> {
    const result = await this.#database.writer.write((transaction) =>
      applyTransition(transaction, row, trigger, {
        ...(columns && { columns }),
        insertEntries: this.#insertEntries,
        now: this.#now(),
        isShared: this.#database.isShared,
      }),
    );
    if (result.isChanged && trigger.type !== 'charge_started') this.#onTransition(result.row);
    return result;
  }
}

const MAX_KEYS = 64;

/** Concurrent lookups share a query: one for each took almost as long as saving the donation. */
function createSharedKeyLookup(
  db: Kysely<Tables>,
): (hash: string) => Promise<Donation | undefined> {
  const queue = new BatchQueue<string, Donation | undefined>({
    processBatch: async (hashes) => {
      const rows = await db
        .selectFrom('donations')
        .selectAll()
        .where((builder) => sql<boolean>`${builder.ref('idempotencyKeyHash')} = ANY(${hashes})`)
        .execute();
      const byHash = new Map(rows.map((row) => [row.idempotencyKeyHash, row]));
      return hashes.map((hash) => byHash.get(hash));
    },
    maxSize: MAX_KEYS,
    isItemError: () => false,
  });
  return (hash) => queue.add(hash);
}

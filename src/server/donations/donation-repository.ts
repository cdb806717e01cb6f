import { type Kysely, sql } from 'kysely';
import type { DonationStatus } from '@donation-form/core/donation';
import {
  buildIsUnclaimedCondition,
  findNextDueTime,
  listDueRows,
  LOCK_DURATION,
} from '../database/claims.ts';
import { compileLookup } from '../database/compiled-queries.ts';
import type { Database } from '../database/database.ts';
import { NEVER } from '../database/database-clock.ts';
import { toInsertableRow } from '../database/row-mapper.ts';
import type { Donation, Tables } from '../database/schema.ts';
import { isOfOrganizations, OLDEST_FIRST } from '../database/unfinished-work.ts';
import { BatchQueue } from '../lib/batch-queue.ts';
import {
  applyTransition,
  buildOutboxEntry,
  type RepositoryContext,
  type SeenDonation,
  type TransitionExtras,
} from './apply-transition.ts';
import { buildOutboxRow, createEntryInserter, type Notifications } from './outbox-entries.ts';
import { OutboxRepository } from './outbox-repository.ts';
import { PauseRepository } from './pause-repository.ts';
import { ReviewRepository } from './review-repository.ts';
import { type DonationTrigger, INITIAL_STATE, transition } from './transition.ts';

export type NewDonation = Pick<
  Donation,
  'reference' | 'idempotencyKeyHash' | 'fingerprint' | 'organization' | 'payload'
>;

export type PaymentColumns = Pick<Donation, 'paymentId' | 'subscriptionId' | 'paymentMethod'>;

export interface DonationRepositoryOptions
  extends Partial<Pick<RepositoryContext, 'onTransition'>>, Notifications {}

/** Each method runs one transaction, and changes nothing if the transition is not allowed. */
export class DonationRepository {
  readonly outbox: OutboxRepository;
  readonly reviewDecisions: ReviewRepository;
  readonly pauses: PauseRepository;
  readonly notifications: Notifications;
  readonly findByKeyHash: (hash: string) => Promise<Donation | undefined>;
  readonly findByReference: (reference: string) => Promise<Donation | undefined>;
  readonly #database: Database;
  readonly #now: () => number;
  readonly #context: RepositoryContext;

  constructor(
    database: Database,
    { onTransition = () => undefined, ...notifications }: DonationRepositoryOptions = {},
  ) {
    const { now } = database.clock;
    this.notifications = notifications;
    this.#context = {
      database,
      insertEntries: createEntryInserter(notifications),
      onTransition,
    };
    this.outbox = new OutboxRepository(this.#context);
    this.reviewDecisions = new ReviewRepository(this.#context);
    this.pauses = new PauseRepository(database, now);
    this.#database = database;
    this.#now = now;
    const donations = database.db.selectFrom('donations').selectAll();
    this.findByKeyHash = database.isShared
      ? createSharedKeyLookup(database.db)
      : compileLookup(database, donations.where('idempotencyKeyHash', '=', ''));
    this.findByReference = compileLookup(database, donations.where('reference', '=', ''));
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
      mailMessages: [],
      receipts: [],
    });
    if (isNew) this.#context.onTransition(row);
    return isNew ? row : undefined;
  }

  /** @returns `undefined` if the idempotency key is already taken. */
  async insertPledge(donation: NewDonation): Promise<Donation | undefined> {
    const accepted = this.#buildRow(donation, {
      paymentId: donation.reference,
      nextRunAt: NEVER,
      lockedUntil: 0,
    });
    const { change, notify } = transition(
      accepted,
      { type: 'accepted', awaiting: 'donor' },
      accepted,
    )!;
    const row = { ...accepted, ...change };
    const event =
      notify && buildOutboxRow(row.organization, buildOutboxEntry(notify, row), this.#now());
    const { outboundWebhooks, outboundMail, receipts } = this.notifications;
    const isNew = await this.#database.writer.insertDonation({
      donations: [toInsertableRow(row)],
      outbox: event ? [toInsertableRow(event)] : [],
      webhookMessages: (event && outboundWebhooks?.buildMessages(event, row.status)) ?? [],
      mailMessages: (event && outboundMail?.buildMessages(event, row)) ?? [],
      receipts: (event && receipts?.buildDueReceipts(event)) ?? [],
    });
    if (!isNew) return undefined;
    this.#context.onTransition(accepted);
    this.#context.onTransition(row);
    return row;
  }

  findByPayment(organization: string, paymentId: string): Promise<Donation | undefined> {
    return this.#findDonation({ organization, paymentId });
  }

  findBySubscription(organization: string, subscriptionId: string): Promise<Donation | undefined> {
    return this.#findDonation({ organization, subscriptionId });
  }

  /**
   * Applies a trigger, and updates the given columns if the donation's state allows the trigger.
   * @returns the current row.
   */
  async applyTrigger(
    row: SeenDonation,
    trigger: DonationTrigger,
    extras?: TransitionExtras,
  ): Promise<Donation> {
    return (await this.#tryToApplyTrigger(row, trigger, extras)).row;
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
    const first = await this.#tryToApplyTrigger(
      row,
      { type: 'approved' },
      { columns: { ...paymentIds, nextRunAt: dueAt } },
    );
    if (first.isChanged) return { donation: first.row, isFirst: true };
    const donation = await this.applyTrigger(
      first.row,
      { type: 'charge_started', paymentId: paymentIds.paymentId },
      { columns: { ...paymentIds, lastError: null } },
    );
    return { donation, isFirst: false };
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

  /** @param organizations IDs. If undefined, lists donations to all organizations. */
  listByStatus(
    status: DonationStatus,
    limit: number,
    organizations?: readonly string[],
  ): Promise<Donation[]> {
    return this.#database.db
      .selectFrom('donations')
      .selectAll()
      .where(isOfOrganizations(organizations))
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
    return listDueRows(this.#database, 'donations', { organization, status: statuses }, limit);
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

  findNextPaymentCheckTime(
    organization: string,
    statuses: readonly DonationStatus[],
  ): Promise<number | undefined> {
    return findNextDueTime(this.#database, 'donations', { organization, status: statuses });
  }

  #findDonation(
    values: { readonly organization: string } & (
      { readonly paymentId: string } | { readonly subscriptionId: string }
    ),
  ) {
    return this.#database.db
      .selectFrom('donations')
      .selectAll()
      .where((build) => build.and(values))
      .executeTakeFirst();
  }

  #buildRow(
    donation: NewDonation,
    initial: Pick<Donation, 'paymentId' | 'nextRunAt' | 'lockedUntil'>,
  ): Donation {
    return {
      ...buildDonationRow(donation, this.#now()),
      ...initial,
      ...this.#database.donorKeys.createColumns(donation.organization, donation.payload),
    };
  }

  async #tryToApplyTrigger(
    row: SeenDonation,
    trigger: DonationTrigger,
    extras?: TransitionExtras,
  ): ReturnType<typeof applyTransition> {
    const result = await this.#database.writer.write((transaction) =>
      applyTransition(transaction, row, trigger, this.#context, extras),
    );
    const keepsStatus =
      trigger.type === 'charge_started' || trigger.type === 'subscription_changed';
    if (result.isChanged && !keepsStatus) this.#context.onTransition(result.row);
    return result;
  }
}

/** Builds the row of a new donation, without what depends on the payment and the donor's email. */
export function buildDonationRow(donation: NewDonation, now: number) {
  return {
    ...donation,
    ...INITIAL_STATE,
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

import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { applyTransition } from './apply-transition.ts';
import type { EventInserter } from './outbox-events.ts';
import { transition, type DonationEvent } from './transition.ts';
import { LOCK_DURATION } from '../database/claims.ts';
import type { Database } from '../database/database.ts';
import { toGiftIdColumns } from '../database/row-mapper.ts';
import type {
  ReviewDecision,
  OutboxEvent,
  OutboxStatus,
  Donation,
  AppliedDecision,
  Tables,
} from '../database/schema.ts';
import {
  findDonationEvent,
  isGiftCreation,
  PAYMENT,
  listReviewOptions,
  type ReviewOption,
} from './review-options.ts';

/** A decision to apply, and the person who made it. */
export interface ResolveCommand {
  /** Reference of a donation or renewal. */
  readonly reference: string;
  readonly decision: ReviewDecision;
  /**
   * ID of the event to resolve, or `payment` for the donation's payment. Required only if the
   * decision is possible for more than one of them.
   */
  readonly event?: string | undefined;
  /** The platform's ID for the gift, if the decision requires it. */
  readonly platformId?: string | undefined;
  readonly by: string;
  readonly note: string;
}

/** A donation with its events and its renewals' events, oldest first. */
export interface DonationHistory {
  readonly donation: Donation;
  readonly events: readonly OutboxEvent[];
}

/** The decision cannot be applied to the donation or event. Nothing was changed. */
export class InvalidDecisionError extends Error {
  override readonly name = 'InvalidDecisionError';
}

/** Stores review decisions and applies them to donations and events. */
export class ReviewRepository {
  readonly #database: Database;
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;
  readonly #insertEvents: EventInserter;
  readonly #onTransition: (donation: Donation) => void;

  /** @param options.onTransition called after a decision that changes a donation's status. */
  constructor({
    database,
    now,
    insertEvents,
    onTransition,
  }: {
    readonly database: Database;
    readonly now: () => number;
    readonly insertEvents: EventInserter;
    readonly onTransition: (donation: Donation) => void;
  }) {
    this.#database = database;
    this.#db = database.db;
    this.#now = now;
    this.#insertEvents = insertEvents;
    this.#onTransition = onTransition;
  }

  /** Lists decisions, oldest first. @param reference reference of the first donation. */
  listDecisions(reference: string): Promise<AppliedDecision[]> {
    return this.#db
      .selectFrom('reviewDecisions')
      .selectAll()
      .where('reference', '=', reference)
      .orderBy('decidedAt')
      .orderBy('id')
      .execute();
  }

  /** Returns true if a person has made a decision about a donation's payment. */
  async hasPaymentDecision(reference: string): Promise<boolean> {
    return (
      (await this.#db
        .selectFrom('reviewDecisions')
        .select('id')
        .where('reference', '=', reference)
        .where('event', 'is', null)
        .executeTakeFirst()) !== undefined
    );
  }

  /**
   * Finds a donation with its events.
   * @param reference reference of the donation or of one of its renewals.
   */
  findDonationHistory(reference: string): Promise<DonationHistory | undefined> {
    return selectDonationHistory(this.#db, reference, false);
  }

  /**
   * Applies and stores a decision in one transaction.
   * @throws {InvalidDecisionError} if the decision cannot be applied. If the status does not allow
   *   the decision, the error message lists the possible decisions.
   */
  async applyAndSaveDecision(command: ResolveCommand): Promise<AppliedDecision> {
    const { decision, changed } = await this.#database.writer.write(async (transaction) => {
      const history = await selectDonationHistory(
        transaction,
        command.reference,
        this.#database.isShared,
      );
      if (!history)
        throw new InvalidDecisionError(`No donation has the reference ${command.reference}.`);
      const option = findMatchingOption(command, history, this.#now());
      const { donation, events } = history;
      const event = events.find(({ id }) => id === option.event);
      assertPlatformId(command, option);
      const reviewed = buildReviewedEvent(option.decision, history);
      const decision: AppliedDecision = {
        id: randomUUID(),
        reference: donation.reference,
        event: event?.id ?? null,
        decision: option.decision,
        fromStatus: event?.status ?? donation.status,
        toStatus: event
          ? OUTBOX_STATUS[option.decision]
          : (transition(donation, reviewed)?.change.status ?? donation.status),
        platformGiftId: command.platformId ?? null,
        decidedBy: command.by,
        note: command.note,
        decidedAt: this.#now(),
      };
      const changed = event
        ? await applyEventDecision(transaction, event, decision)
        : await this.#applyPaymentDecision(transaction, history, reviewed, decision);
      await transaction
        .insertInto('reviewDecisions')
        .values({ ...decision, ...toGiftIdColumns(decision.platformGiftId) })
        .execute();
      return { decision, changed };
    });
    if (changed && changed.status !== decision.fromStatus) this.#onTransition(changed);
    return decision;
  }

  /** Applies a decision about a donation's payment. @returns the changed donation. */
  async #applyPaymentDecision(
    transaction: Transaction<Tables>,
    { donation, events }: DonationHistory,
    reviewed: DonationEvent,
    { decision, platformGiftId: platformId, decidedAt: now }: AppliedDecision,
  ): Promise<Donation> {
    const { reference } = donation;
    const { row } = await applyTransition(transaction, donation, reviewed, {
      columns: { lastError: null, attempts: 0 },
      insertEvents: this.#insertEvents,
      now,
      isShared: this.#database.isShared,
    });
    if (decision === 'entered')
      await markDeliveredManually(
        transaction,
        {
          id: findDonationEvent(donation, events)?.id ?? `donation ${reference}`,
          reference,
          kind: 'donation',
        },
        platformId,
        now,
      );
    return row;
  }
}

/**
 * Selects a donation with its events. Locks the events before the donation, as the outbox does, to
 * prevent deadlocks.
 */
async function selectDonationHistory(
  db: Kysely<Tables>,
  reference: string,
  shouldLock: boolean,
): Promise<DonationHistory | undefined> {
  const renewal = await db
    .selectFrom('outbox')
    .select('parentReference')
    .where('reference', '=', reference)
    .where('kind', '=', 'renewal')
    .executeTakeFirst();
  const first = renewal?.parentReference ?? reference;
  const eventQuery = db
    .selectFrom('outbox')
    .selectAll()
    .where((build) =>
      build.or([build('reference', '=', first), build('parentReference', '=', first)]),
    )
    .orderBy('createdAt')
    .orderBy('id');
  const events = await (shouldLock ? eventQuery.forUpdate() : eventQuery).execute();
  const donationQuery = db.selectFrom('donations').selectAll().where('reference', '=', first);
  const donation = await (
    shouldLock ? donationQuery.forUpdate() : donationQuery
  ).executeTakeFirst();
  return donation && { donation, events };
}

const OUTBOX_STATUS = {
  succeeded: 'pending',
  failed: 'pending',
  entered: 'delivered',
  recorded: 'delivered',
  'not-recorded': 'pending',
  send: 'pending',
} as const satisfies Record<ReviewDecision, OutboxStatus>;

/**
 * Finds the option that matches the command.
 * @throws {InvalidDecisionError} if no option or more than one option matches.
 */
function findMatchingOption(
  { reference, decision, event: eventId }: ResolveCommand,
  { donation, events }: DonationHistory,
  now: number,
): ReviewOption {
  const listOptions = (at: number): ReviewOption[] =>
    listReviewOptions(donation, events, at).filter((option) =>
      eventId === undefined
        ? isOptionForReference(option, reference, donation, events)
        : option.event === eventId,
    );
  const options = listOptions(now);
  const matching = options.filter((option) => option.decision === decision);
  if (matching.length === 1) return matching[0]!;
  if (matching.length > 1)
    throw new InvalidDecisionError(
      `${matching.length} events of ${reference} can be resolved as ${decision}. ` +
        `Specify one: ${matching.map((option) => `'${option.event}'`).join(', ')}.`,
    );
  if (listOptions(now + LOCK_DURATION).some((option) => option.decision === decision))
    throw new InvalidDecisionError(
      `${reference} cannot be resolved as ${decision} yet, because a call to the platform may ` +
        'still be in progress. Try again in a minute.',
    );
  const statuses = [
    `the payment's status is ${formatStatus(donation.status)}`,
    ...events
      .filter((event) =>
        eventId === undefined ? event.reference === reference : event.id === eventId,
      )
      .map(({ id, status }) => `the status of '${id}' is ${formatStatus(status)}`),
  ].join(', ');
  const possible = options.map((option) => `${option.decision} ('${option.event}')`).join(', ');
  throw new InvalidDecisionError(
    `${eventId === undefined ? '' : `'${eventId}' of `}${reference} cannot be resolved as ` +
      `${decision}: ${statuses}. ` +
      (possible === '' ? 'Nothing needs review.' : `Possible decisions: ${possible}.`),
  );
}

const formatStatus = (status: Donation['status'] | OutboxStatus): string =>
  status.replaceAll('_', ' ');

function isOptionForReference(
  option: ReviewOption,
  reference: string,
  donation: Donation,
  events: readonly OutboxEvent[],
): boolean {
  return option.event === PAYMENT
    ? reference === donation.reference
    : events.some((event) => event.id === option.event && event.reference === reference);
}

/**
 * Checks the command's gift ID.
 * @throws {InvalidDecisionError} if the gift ID is missing or the decision does not accept one.
 */
function assertPlatformId(
  { platformId, decision }: ResolveCommand,
  { needsPlatformId }: ReviewOption,
): void {
  if (needsPlatformId && platformId === undefined)
    throw new InvalidDecisionError(
      `The ${decision} decision requires the platform's gift ID. Enter it, in a terminal with ` +
        '--platform-gift-id.',
    );
  if (!needsPlatformId && platformId !== undefined)
    throw new InvalidDecisionError(
      `The ${decision} decision does not accept a gift ID. Remove the gift ID.`,
    );
}

function buildReviewedEvent(
  decision: ReviewDecision,
  { donation, events }: DonationHistory,
): DonationEvent {
  return { type: 'reviewed', decision, hasGift: findDonationEvent(donation, events) !== undefined };
}

async function applyEventDecision(
  transaction: Transaction<Tables>,
  event: OutboxEvent,
  { toStatus: status, platformGiftId: platformId, decidedAt: now }: AppliedDecision,
): Promise<undefined> {
  if (status === 'delivered') {
    await markDeliveredManually(transaction, event, platformId, now);
    return;
  }
  await transaction
    .updateTable('outbox')
    .set({
      status: 'pending',
      dispatchedAt: null,
      attempts: 0,
      nextRunAt: now,
      lastError: null,
      updatedAt: now,
    })
    .where('id', '=', event.id)
    .execute();
}

async function markDeliveredManually(
  transaction: Transaction<Tables>,
  event: Pick<OutboxEvent, 'id' | 'reference' | 'kind'>,
  platformId: string | null,
  now: number,
): Promise<void> {
  await transaction
    .updateTable('outbox')
    .set({
      status: 'delivered',
      dispatchedAt: null,
      lastError: null,
      updatedAt: now,
      ...(isGiftCreation(event) && toGiftIdColumns(platformId)),
    })
    .where('id', '=', event.id)
    .execute();
  if (event.kind === 'donation')
    await transaction
      .updateTable('donations')
      .set(toGiftIdColumns(platformId))
      .where('reference', '=', event.reference)
      .execute();
}

import type { DonationStatus } from '@donation-form/core/donation';
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { EventInserter } from './outbox-repository.ts';
import type { Database } from '../database/database.ts';
import type {
  ReviewDecision,
  OutboxEvent,
  OutboxStatus,
  Donation,
  ReviewDecisionRow,
  Tables,
} from '../database/schema.ts';
import {
  findDonationEvent,
  isGiftEvent,
  PAYMENT,
  listReviewOptions,
  type ReviewOption,
} from './review-options.ts';

/** A decision to apply, and the person who made it. */
export interface ResolveCommand {
  /** Of a donation or renewal. */
  readonly reference: string;
  readonly as: ReviewDecision;
  /** The id of an event, or `payment`. Required only if the decision fits several. */
  readonly about?: string | undefined;
  /** The platform's gift id, if the option requires it. */
  readonly platformId?: number | undefined;
  readonly by: string;
  readonly note: string;
}

/** A donation with all events of it and of its renewals, oldest first. */
export interface DonationHistory {
  readonly gift: Donation;
  readonly events: readonly OutboxEvent[];
}

/** The donation's status does not allow the decision. Nothing was changed. */
export class InvalidDecisionError extends Error {
  override readonly name = 'InvalidDecisionError';
}

/** Stores and applies the decisions made in manual review. */
export class ReviewRepository {
  readonly #database: Database;
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;
  readonly #insertEvents: EventInserter;

  constructor(database: Database, now: () => number, addEvents: EventInserter) {
    this.#database = database;
    this.#db = database.db;
    this.#now = now;
    this.#insertEvents = addEvents;
  }

  /** Lists decisions, oldest first. @param reference the first donation's reference. */
  listDecisions(reference: string): Promise<ReviewDecisionRow[]> {
    return this.#db
      .selectFrom('review_decisions')
      .selectAll()
      .where('gift', '=', reference)
      .orderBy('decided_at')
      .orderBy('id')
      .execute();
  }

  /** Returns true if a person has decided about the payment of a donation. */
  async isDecided(reference: string): Promise<boolean> {
    return (
      (await this.#db
        .selectFrom('review_decisions')
        .select('id')
        .where('gift', '=', reference)
        .where('event', 'is', null)
        .executeTakeFirst()) !== undefined
    );
  }

  /** Finds a donation with its events. @param reference of the donation or a renewal. */
  findHistory(reference: string): Promise<DonationHistory | undefined> {
    return selectHistory(this.#db, reference, false);
  }

  /**
   * Applies and stores a decision in one transaction.
   * @throws {InvalidDecisionError} if the status does not allow it, with the decisions it allows.
   */
  decide(command: ResolveCommand): Promise<ReviewDecisionRow> {
    return this.#database.writer.write(async (transaction) => {
      const history = await selectHistory(transaction, command.reference, this.#database.isShared);
      if (!history)
        throw new InvalidDecisionError(`No donation has the reference ${command.reference}.`);
      const option = selectOption(command, history, this.#now());
      const { gift, events } = history;
      const event = events.find(({ id }) => id === option.about);
      checkPlatformId(command, option);
      const decision: ReviewDecisionRow = {
        id: randomUUID(),
        gift: gift.reference,
        event: event?.id ?? null,
        decision: option.as,
        from_status: event?.status ?? gift.status,
        to_status: event ? OUTBOX_STATUS[option.as] : DONATION_STATUS[option.as],
        platform_gift_id: command.platformId ?? null,
        decided_by: command.by,
        note: command.note,
        decided_at: this.#now(),
      };
      await (event
        ? applyEventDecision(transaction, event, decision)
        : applyPaymentDecision(transaction, history, decision, this.#insertEvents));
      await transaction.insertInto('review_decisions').values(decision).execute();
      return decision;
    });
  }
}

/** Selects a history. Locks events before donations, in the same order as the outbox. */
async function selectHistory(
  db: Kysely<Tables>,
  reference: string,
  shouldLock: boolean,
): Promise<DonationHistory | undefined> {
  const renewal = await db
    .selectFrom('outbox')
    .select('parent_reference')
    .where('reference', '=', reference)
    .where('kind', '=', 'renewal')
    .executeTakeFirst();
  const first = renewal?.parent_reference ?? reference;
  const eventQuery = db
    .selectFrom('outbox')
    .selectAll()
    .where((build) =>
      build.or([build('reference', '=', first), build('parent_reference', '=', first)]),
    )
    .orderBy('created_at')
    .orderBy('id');
  const events = await (shouldLock ? eventQuery.forUpdate() : eventQuery).execute();
  const donationQuery = db.selectFrom('donations').selectAll().where('reference', '=', first);
  const gift = await (shouldLock ? donationQuery.forUpdate() : donationQuery).executeTakeFirst();
  return gift && { gift, events };
}

const DONATION_STATUS = {
  succeeded: 'succeeded',
  entered: 'succeeded',
  failed: 'failed',
  recorded: 'succeeded',
  'not-recorded': 'needs_review',
  send: 'needs_review',
} as const satisfies Record<ReviewDecision, DonationStatus>;
const OUTBOX_STATUS = {
  succeeded: 'pending',
  failed: 'pending',
  entered: 'delivered',
  recorded: 'delivered',
  'not-recorded': 'pending',
  send: 'pending',
} as const satisfies Record<ReviewDecision, OutboxStatus>;

/** @throws {InvalidDecisionError} if no option matches, or several do. */
function selectOption(
  { reference, as, about }: ResolveCommand,
  { gift, events }: DonationHistory,
  now: number,
): ReviewOption {
  const options = listReviewOptions(gift, events, now).filter(
    (option) =>
      option.about === (about ?? option.about) &&
      (about !== undefined || isOptionFor(option, reference, gift, events)),
  );
  const matching = options.filter((option) => option.as === as);
  if (matching.length === 1) return matching[0]!;
  if (matching.length > 1)
    throw new InvalidDecisionError(
      `${matching.length} items of ${reference} can be resolved as ${as}. Name one of ${matching.map((option) => `'${option.about}'`).join(', ')}.`,
    );
  const states = [
    `its payment is ${gift.status}`,
    ...events
      .filter(({ id, reference: own }) => (about === undefined ? own === reference : id === about))
      .map(({ id, status }) => `'${id}' is ${status}`),
  ].join(', ');
  const possible = options.map((option) => `${option.as} ('${option.about}')`).join(', ');
  throw new InvalidDecisionError(
    `${reference} cannot be resolved as ${as}${about === undefined ? '' : `, '${about}'`}: ${states}. ${possible === '' ? 'Nothing of it needs review.' : `Possible decisions: ${possible}.`}`,
  );
}

function isOptionFor(
  { about }: ReviewOption,
  reference: string,
  gift: Donation,
  events: readonly OutboxEvent[],
): boolean {
  return about === PAYMENT
    ? reference === gift.reference
    : events.some((event) => event.id === about && event.reference === reference);
}

/** @throws {InvalidDecisionError} */
function checkPlatformId(
  { platformId, as }: ResolveCommand,
  { needsPlatformId }: ReviewOption,
): void {
  if (needsPlatformId && platformId === undefined)
    throw new InvalidDecisionError(
      `To resolve it as ${as}, enter its ID on the platform, a whole number.`,
    );
  if (!needsPlatformId && platformId !== undefined)
    throw new InvalidDecisionError(`To resolve it as ${as}, leave out the platform ID.`);
}

async function applyPaymentDecision(
  transaction: Transaction<Tables>,
  { gift, events }: DonationHistory,
  { decision, to_status: status, platform_gift_id: platformId, decided_at: now }: ReviewDecisionRow,
  addEvents: EventInserter,
): Promise<void> {
  const { reference, organization } = gift;
  const donationEvent = findDonationEvent(gift, events);
  const kind = getFollowUpEventKind(decision, donationEvent !== undefined);
  await transaction
    .updateTable('donations')
    .set({
      status: status as DonationStatus,
      last_error: null,
      attempts: 0,
      updated_at: now,
      ...(decision === 'failed' && { failure_reason: gift.failure_reason ?? 'payment-failed' }),
    })
    .where('reference', '=', reference)
    .execute();
  if (kind)
    await addEvents(
      transaction,
      organization,
      [{ id: `${kind} ${reference}`, reference, kind, dispatched_at: gift.restored_at }],
      now,
    );
  if (decision === 'entered')
    await markDeliveredManually(
      transaction,
      { id: donationEvent?.id ?? `donation ${reference}`, reference, kind: 'donation' },
      platformId,
      now,
    );
}

/** Returns the event to send to the platform after a decision about a payment, if any. */
function getFollowUpEventKind(
  decision: ReviewDecision,
  hasDonationEvent: boolean,
): 'payment_failed' | 'donation' | 'payment_settled' | undefined {
  if (decision === 'failed') return hasDonationEvent ? 'payment_failed' : undefined;
  if (!hasDonationEvent) return 'donation';
  return decision === 'succeeded' ? 'payment_settled' : undefined;
}

async function applyEventDecision(
  transaction: Transaction<Tables>,
  event: OutboxEvent,
  { to_status: status, platform_gift_id: platformId, decided_at: now }: ReviewDecisionRow,
): Promise<void> {
  if (status === 'delivered') return markDeliveredManually(transaction, event, platformId, now);
  await transaction
    .updateTable('outbox')
    .set({
      status: 'pending',
      dispatched_at: null,
      attempts: 0,
      next_run_at: now,
      last_error: null,
      updated_at: now,
    })
    .where('id', '=', event.id)
    .execute();
}

async function markDeliveredManually(
  transaction: Transaction<Tables>,
  event: Pick<OutboxEvent, 'id' | 'reference' | 'kind'>,
  platformId: number | null,
  now: number,
): Promise<void> {
  await transaction
    .updateTable('outbox')
    .set({
      status: 'delivered',
      dispatched_at: null,
      last_error: null,
      updated_at: now,
      ...(isGiftEvent(event) && { platform_gift_id: platformId }),
    })
    .where('id', '=', event.id)
    .execute();
  if (event.kind === 'donation')
    await transaction
      .updateTable('donations')
      .set({ platform_gift_id: platformId })
      .where('reference', '=', event.reference)
      .execute();
}

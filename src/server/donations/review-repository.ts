import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { toGiftIdColumns } from '../database/row-mapper.ts';
import type {
  AppliedDecision,
  Donation,
  OutboxEntry,
  OutboxStatus,
  ReviewDecision,
  Tables,
} from '../database/schema.ts';
import { isOfOrganizations } from '../database/unfinished-work.ts';
import { applyTransition, type RepositoryContext } from './apply-transition.ts';
import { makeReceiptDue } from './due-receipts.ts';
import { selectEvents } from './outbox-entries.ts';
import {
  assertPlatformId,
  type DonationHistory,
  findDonationEntry,
  findMatchingOption,
  InvalidDecisionError,
  isGiftCreation,
  type ResolveCommand,
} from './review-options.ts';
import { type DonationTrigger, transition } from './transition.ts';

/** Times are in milliseconds since 1970. */
export interface ReviewFilter {
  /** IDs of organizations. If undefined, all. */
  readonly organizations?: readonly string[] | undefined;
  /** Text that the review reason must contain. */
  readonly reason?: string | undefined;
  /** Earliest time of the mark for review. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export class ReviewRepository {
  readonly #context: RepositoryContext;
  readonly #database: Database;

  constructor(context: RepositoryContext) {
    this.#context = context;
    this.#database = context.database;
  }

  listDecisions(reference: string): Promise<AppliedDecision[]> {
    return this.#database.db
      .selectFrom('reviewDecisions')
      .selectAll()
      .where('reference', '=', reference)
      .orderBy('decidedAt')
      .orderBy('id')
      .execute();
  }

  async hasPaymentDecision(reference: string): Promise<boolean> {
    const decision = await this.#database.db
      .selectFrom('reviewDecisions')
      .select('id')
      .where('reference', '=', reference)
      .where('event', 'is', null)
      .executeTakeFirst();
    return decision !== undefined;
  }

  listEntriesNeedingReview(
    { organizations, reason, from, to }: ReviewFilter,
    limit: number,
  ): Promise<OutboxEntry[]> {
    return this.#database.db
      .selectFrom('outbox')
      .selectAll()
      .where('status', 'in', ['needs_review', 'manual'])
      .where(isOfOrganizations(organizations))
      .$if(reason !== undefined, (query) =>
        query.where(
          sql<boolean>`last_error LIKE ${`%${reason!.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} ESCAPE '\\'`,
        ),
      )
      .$if(from !== undefined, (query) => query.where('updatedAt', '>=', from!))
      .$if(to !== undefined, (query) => query.where('updatedAt', '<=', to!))
      .orderBy('createdAt')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  /** @param reference reference of the donation or of one of its renewals. */
  findDonationHistory(reference: string): Promise<DonationHistory | undefined> {
    return selectDonationHistory(this.#database.db, reference, false);
  }

  /**
   * @throws {InvalidDecisionError} if the decision cannot be applied. The message lists those that
   *   can.
   */
  async applyAndSaveDecision(command: ResolveCommand): Promise<AppliedDecision> {
    const { now } = this.#database.clock;
    const { decision, changed } = await this.#database.writer.write(async (transaction) => {
      const history = await selectDonationHistory(
        transaction,
        command.reference,
        this.#database.isShared,
      );
      if (!history)
        throw new InvalidDecisionError(`No donation has the reference ${command.reference}.`);
      const option = findMatchingOption(command, history, now());
      const { donation, events } = history;
      const event = events.find(({ id }) => id === option.event);
      assertPlatformId(command, option);
      const hasGift = findDonationEntry(donation, events) !== undefined;
      const reviewed = { type: 'reviewed', decision: option.decision, hasGift } as const;
      const decision: AppliedDecision = {
        id: randomUUID(),
        reference: donation.reference,
        event: event?.id ?? null,
        decision: option.decision,
        fromStatus: event?.status ?? donation.status,
        toStatus: event
          ? OUTBOX_STATUS[option.decision]
          : (transition(donation, reviewed, donation)?.change.status ?? donation.status),
        platformGiftId: command.platformId ?? null,
        decidedBy: command.by,
        note: command.note,
        decidedAt: now(),
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
    if (changed && changed.status !== decision.fromStatus) this.#context.onTransition(changed);
    return decision;
  }

  /** @returns the changed donation. */
  async #applyPaymentDecision(
    transaction: Transaction<Tables>,
    { donation, events }: DonationHistory,
    reviewed: DonationTrigger,
    { decision, platformGiftId: platformId, decidedAt: now }: AppliedDecision,
  ): Promise<Donation> {
    const { reference } = donation;
    const { row } = await applyTransition(transaction, donation, reviewed, this.#context, {
      now,
    });
    if (decision === 'entered')
      await markDeliveredManually(
        transaction,
        {
          id: findDonationEntry(donation, events)?.id ?? `donation ${reference}`,
          reference,
          kind: 'donation',
        },
        platformId,
        now,
      );
    // The decision adds no event if the platform already has the gift.
    await makeReceiptDue(transaction, `donation ${reference}`, now);
    return row;
  }
}

/** Locks the events before the donation, as the outbox does, to prevent deadlocks. */
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
  const eventQuery = selectEvents(db, [first]);
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

async function applyEventDecision(
  transaction: Transaction<Tables>,
  event: OutboxEntry,
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
  event: Pick<OutboxEntry, 'id' | 'reference' | 'kind'>,
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

import type { Insertable, Kysely, UpdateObject } from 'kysely';
import type { Donation, DonationRow, EventKind, GiftState, Tables } from '../database/schema.ts';
import { isDue, isUnclaimed, NEVER } from '../database/claims.ts';
import {
  CLAIM,
  eventAdder,
  Events,
  type AddEvents,
  type NewEvent,
  type OutboundWebhooks,
} from './donation-events.ts';
import { readyInsert } from '../database/prepared-insert.ts';
import { Pauses } from './pause-repository.ts';
import { Resolutions } from './review-decisions.ts';
import type { Store } from '../database/database.ts';

type Change = UpdateObject<Tables, 'gifts'>;

/** A donation before it is stored. */
export type NewDonation = Pick<
  Donation,
  'reference' | 'key_hash' | 'fingerprint' | 'organization' | 'payload'
>;

/** What the processor calls a payment, and how it was paid. */
export type Paid = Pick<Donation, 'payment_id' | 'subscription_id' | 'payment_method'>;

/** It says whether the gift's key was free. */
const keepNew = readyInsert('gifts', 'key_hash');

const UNPAID: readonly GiftState[] = ['charging', 'action'];

export interface JournalOptions {
  readonly now?: () => number;
  /** Called with every donation that was accepted or changed its state, once the disk has it. */
  readonly onStep?: (donation: Donation) => void;
  readonly outboundWebhooks?: OutboundWebhooks;
}

/**
 * The gifts on disk. Each method is one transaction; a step that the row's state does not allow
 * changes nothing.
 */
export class Journal {
  /** What happened to them. */
  readonly events: Events;
  /** What people decided of them. */
  readonly resolutions: Resolutions;
  /** Which organisations take none. */
  readonly pauses: Pauses;
  readonly outboundWebhooks: OutboundWebhooks | undefined;
  readonly #store: Store;
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;
  readonly #onStep: (row: Donation) => void;
  readonly #addEvents: AddEvents;

  constructor(
    store: Store,
    { now = Date.now, onStep = () => undefined, outboundWebhooks }: JournalOptions = {},
  ) {
    this.outboundWebhooks = outboundWebhooks;
    this.#addEvents = eventAdder(outboundWebhooks);
    this.events = new Events(store, now, this.#addEvents);
    this.resolutions = new Resolutions(store, now, this.#addEvents);
    this.pauses = new Pauses(store, now);
    this.#store = store;
    this.#db = store.db;
    this.#now = now;
    this.#onStep = onStep;
  }

  /** Whether other servers may be working on the same gifts. */
  get isShared(): boolean {
    return this.#store.isShared;
  }

  /** Keeps a new gift before any money moves. @returns nothing where its key is taken. */
  async accept({
    dueAt,
    ...given
  }: NewDonation & { readonly dueAt: number }): Promise<Donation | undefined> {
    const row = this.#new(given, {
      state: 'charging',
      payment_id: null,
      due_at: dueAt,
      claimed_until: dueAt,
    });
    const isNew = await this.#store.writer.write((transaction) => keepNew(transaction, toRow(row)));
    if (isNew) this.#onStep(row);
    return isNew ? row : undefined;
  }

  /**
   * Keeps a new gift that no processor knows of, since its money comes another way; the platform is
   * told of it.
   * @returns nothing where its key is taken.
   */
  async promise(given: NewDonation): Promise<Donation | undefined> {
    const row = this.#new(given, {
      state: 'pending',
      payment_id: given.reference,
      due_at: NEVER,
      claimed_until: 0,
    });
    const isNew = await this.#store.writer.write(async (transaction) => {
      const kept = await keepNew(transaction, toRow(row));
      if (kept)
        await this.#addEvents(transaction, row.organization, [eventOf('gift', row)], this.#now());
      return kept;
    });
    if (isNew)
      for (const state of ['charging', 'pending'] as const) this.#onStep({ ...row, state });
    return isNew ? row : undefined;
  }

  byKeyHash(hash: string): Promise<Donation | undefined> {
    return this.#db.selectFrom('gifts').selectAll().where('key_hash', '=', hash).executeTakeFirst();
  }

  byReference(reference: string): Promise<Donation | undefined> {
    return this.#db
      .selectFrom('gifts')
      .selectAll()
      .where('reference', '=', reference)
      .executeTakeFirst();
  }

  byPayment(organization: string, paymentId: string): Promise<Donation | undefined> {
    return this.#db
      .selectFrom('gifts')
      .selectAll()
      .where('organization', '=', organization)
      .where('payment_id', '=', paymentId)
      .executeTakeFirst();
  }

  bySubscription(organization: string, subscriptionId: string): Promise<Donation | undefined> {
    return this.#db
      .selectFrom('gifts')
      .selectAll()
      .where('organization', '=', organization)
      .where('subscription_id', '=', subscriptionId)
      .executeTakeFirst();
  }

  /**
   * Keeps the names of the payment that was opened for a gift, and that a call which charges it is
   * about to be made.
   */
  chargeBegins(reference: string, paid: Omit<Paid, 'payment_method'>): Promise<Donation> {
    return this.#step(reference, UNPAID, { ...paid, charge_began_at: this.#now() });
  }

  /** Notes that the donor has to do something first. */
  awaitsAction(reference: string, paid: Paid, dueAt: number): Promise<Donation> {
    return this.#step(reference, UNPAID, {
      ...paid,
      state: 'action',
      due_at: dueAt,
      last_error: null,
    });
  }

  /** Notes that the money comes later; the platform is told of the gift. */
  pending(reference: string, paid: Paid, dueAt: number): Promise<Donation> {
    return this.#step(
      reference,
      UNPAID,
      { ...paid, state: 'pending', attempts: 0, due_at: dueAt, last_error: null },
      { tell: 'gift' },
    );
  }

  /**
   * Notes that the money has moved; the platform is told of the gift, or that a pending one was
   * paid.
   */
  async charged(reference: string, paid: Paid): Promise<Donation> {
    const change: Change = { ...paid, state: 'charged', attempts: 0, last_error: null };
    const row = await this.#step(reference, UNPAID, change, { tell: 'gift' });
    return row.state === 'pending'
      ? this.#step(reference, ['pending'], change, { tell: 'settled' })
      : row;
  }

  /** Notes that nothing was charged; of a pending gift the platform is told so. */
  async declined(reference: string, reason: Donation['decline_reason']): Promise<Donation> {
    const change: Change = { state: 'declined', decline_reason: reason };
    const row = await this.#step(reference, UNPAID, change);
    return row.state === 'pending'
      ? this.#step(reference, ['pending'], change, { tell: 'failed' })
      : row;
  }

  /** Notes that nothing was charged, unless a call that charges began since the row was read. */
  notCharged(row: Donation): Promise<Donation> {
    return this.#step(
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
  held(row: Donation, paid: Paid, error: string): Promise<Donation> {
    return this.#step(row.reference, [row.state], { ...paid, state: 'held', last_error: error });
  }

  /** Leaves a gift's payment for later. */
  postponed(row: Donation, dueAt: number, error: string | null): Promise<Donation> {
    return this.#step(row.reference, [row.state], {
      due_at: dueAt,
      claimed_until: 0,
      last_error: error,
      attempts: row.attempts + 1,
    });
  }

  /**
   * Notes that the renewals since a copy of the store was made are known, so that webhooks may tell
   * of more.
   * @param from since when they were asked for.
   */
  async renewalsAreKnown(organization: string, from: number): Promise<void> {
    await this.#store.writer.write((transaction) =>
      transaction
        .updateTable('gifts')
        .set({ copied_at: null })
        .where('organization', '=', organization)
        .where('copied_at', '>=', from)
        .where('subscription_id', 'is not', null)
        .where('state', 'in', ['charged', 'pending'])
        .execute(),
    );
  }

  /** Those that wait for a person, the oldest first. */
  inState(state: GiftState, limit: number): Promise<Donation[]> {
    return this.#db
      .selectFrom('gifts')
      .selectAll()
      .where('state', '=', state)
      .orderBy('created_at')
      .limit(limit)
      .execute();
  }

  /** The gifts of the given states whose payments are to be looked at, the oldest first. */
  due(organization: string, states: readonly GiftState[], limit: number): Promise<Donation[]> {
    return this.#in(organization, states)
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
  claim({ reference, due_at: dueAt }: Donation): Promise<Donation | undefined> {
    const now = this.#now();
    const until = now + CLAIM;
    return this.#db
      .updateTable('gifts')
      .set({ due_at: until, claimed_until: until })
      .where('reference', '=', reference)
      .where('due_at', '=', dueAt)
      .where((build) => isUnclaimed(build, now))
      .returningAll()
      .executeTakeFirst();
  }

  /** When the next gift of the given states is due. */
  async nextDue(organization: string, states: readonly GiftState[]): Promise<number | undefined> {
    const { due } = await this.#in(organization, states)
      .select(({ fn }) => fn.min<number | null>('due_at').as('due'))
      .executeTakeFirstOrThrow();
    return due ?? undefined;
  }

  #new(
    given: NewDonation,
    begun: Pick<Donation, 'state' | 'payment_id' | 'due_at' | 'claimed_until'>,
  ): Donation {
    const now = this.#now();
    return {
      ...given,
      ...begun,
      subscription_id: null,
      recurring_state: null,
      payment_method: null,
      decline_reason: null,
      platform_id: null,
      attempts: 0,
      charge_began_at: now,
      last_error: null,
      created_at: now,
      updated_at: now,
      redacted_at: null,
      redacted_by: null,
      copied_at: null,
    };
  }

  #in(organization: string, states: readonly GiftState[]) {
    return this.#db
      .selectFrom('gifts')
      .where('organization', '=', organization)
      .where('state', 'in', states);
  }

  /**
   * @param tell what the platform is told of it.
   * @param chargedNoLaterThan the step is taken only where no charge began since this was read:
   *   clocks of several servers differ, so that the payment tells too.
   */
  async #step(
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
        .updateTable('gifts')
        .set({ ...change, updated_at: this.#now() })
        .where('reference', '=', reference)
        .where('state', 'in', from);
      const moved = await (
        read === undefined
          ? step
          : step
              .where('charge_began_at', '<=', read.charge_began_at)
              .where('payment_id', read.payment_id === null ? 'is' : '=', read.payment_id)
      )
        .returningAll()
        .executeTakeFirst();
      if (moved && tell)
        await this.#addEvents(transaction, moved.organization, [eventOf(tell, moved)], this.#now());
      const row =
        moved ??
        (await transaction
          .selectFrom('gifts')
          .selectAll()
          .where('reference', '=', reference)
          .executeTakeFirst());
      if (!row) throw new Error(`no gift ${reference} in the journal`);
      return { row, moved };
    });
    if (moved && change.state !== undefined) this.#onStep(row);
    return row;
  }
}

/** A donation as it is written. */
function toRow(donation: Donation): Insertable<DonationRow> {
  return { ...donation, payload: JSON.stringify(donation.payload) };
}

function eventOf(kind: EventKind, { reference, copied_at: sendingBeganAt }: Donation): NewEvent {
  return { id: `${kind} ${reference}`, reference, kind, sending_began_at: sendingBeganAt };
}

import type { Kysely, UpdateObject } from 'kysely';
import type { GiftRow, GiftState, Tables } from './database.ts';

type Change = UpdateObject<Tables, 'gifts'>;

/** The gifts on disk. Each method is one statement, so one transaction; a step that the row's state does not allow changes nothing. */
export class Journal {
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;

  constructor(db: Kysely<Tables>, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  /** Keeps a new gift before any money moves. @returns false where its key is taken. */
  async accept(gift: Pick<GiftRow, 'reference' | 'key_hash' | 'fingerprint' | 'organization' | 'gift'> & { readonly dueAt: number }): Promise<boolean> {
    const { dueAt, ...given } = gift;
    const now = this.#now();
    const row: GiftRow = {
      ...given, state: 'charging', payment_id: null, decline_reason: null, platform_id: null,
      recording_began_at: null, attempts: 0, charge_began_at: now, due_at: dueAt, last_error: null, created_at: now, updated_at: now,
    };
    const { numInsertedOrUpdatedRows } = await this.#db.insertInto('gifts').values(row).onConflict((conflict) => conflict.column('key_hash').doNothing()).executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  byKeyHash(hash: string): Promise<GiftRow | undefined> {
    return this.#db.selectFrom('gifts').selectAll().where('key_hash', '=', hash).executeTakeFirst();
  }

  byReference(reference: string): Promise<GiftRow | undefined> {
    return this.#db.selectFrom('gifts').selectAll().where('reference', '=', reference).executeTakeFirst();
  }

  /** Notes that a call which charges the gift is about to be made once more. */
  chargeBegins(reference: string): Promise<GiftRow> {
    return this.#step(reference, 'charging', { charge_began_at: this.#now() });
  }

  charged(reference: string, paymentId: string): Promise<GiftRow> {
    return this.#step(reference, 'charging', { state: 'charged', payment_id: paymentId, attempts: 0, due_at: this.#now(), last_error: null });
  }

  declined(reference: string): Promise<GiftRow> {
    return this.#step(reference, 'charging', { state: 'declined', decline_reason: 'card-declined' });
  }

  /** Notes that nothing was charged, unless a call that charges began after the given time. */
  notCharged(reference: string, beganBefore: number): Promise<GiftRow> {
    return this.#step(reference, 'charging', { state: 'declined', decline_reason: 'not-charged' }, beganBefore);
  }

  /** Notes that a call which records the gift is about to be made. */
  recordingBegins(reference: string): Promise<GiftRow> {
    return this.#step(reference, 'charged', { recording_began_at: this.#now() });
  }

  recorded(reference: string, platformId: number): Promise<GiftRow> {
    return this.#step(reference, 'charged', { state: 'recorded', platform_id: platformId, recording_began_at: null, last_error: null });
  }

  /** Leaves a gift to a person. */
  held(row: GiftRow, error: string): Promise<GiftRow> {
    return this.#step(row.reference, row.state, { state: 'held', last_error: error });
  }

  /** Leaves a gift for later. */
  postponed(row: GiftRow, { dueAt, error, recordingBeganAt = row.recording_began_at }: { readonly dueAt: number; readonly error: string | null; readonly recordingBeganAt?: number | null }): Promise<GiftRow> {
    return this.#step(row.reference, row.state, { due_at: dueAt, last_error: error, recording_began_at: recordingBeganAt, attempts: row.attempts + 1 });
  }

  /** What is due of the given states, the oldest first. */
  due(organization: string, states: readonly GiftState[], limit: number): Promise<GiftRow[]> {
    return this.#in(organization, states).where('due_at', '<=', this.#now()).selectAll().orderBy('created_at').limit(limit).execute();
  }

  /** When the next gift of the given states is due. */
  async nextDue(organization: string, states: readonly GiftState[]): Promise<number | undefined> {
    const { due } = await this.#in(organization, states).select(({ fn }) => fn.min<number | null>('due_at').as('due')).executeTakeFirstOrThrow();
    return due ?? undefined;
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }

  #in(organization: string, states: readonly GiftState[]) {
    return this.#db.selectFrom('gifts').where('organization', '=', organization).where('state', 'in', states);
  }

  async #step(reference: string, from: GiftState, change: Change, beganBefore = this.#now()): Promise<GiftRow> {
    const moved = await this.#db.updateTable('gifts').set({ ...change, updated_at: this.#now() })
      .where('reference', '=', reference).where('state', '=', from).where('charge_began_at', '<=', beganBefore).returningAll().executeTakeFirst();
    const row = moved ?? await this.byReference(reference);
    if (!row) throw new Error(`no gift ${reference} in the journal`);
    return row;
  }
}

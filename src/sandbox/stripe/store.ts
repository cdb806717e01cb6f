import type { Stripe } from 'stripe';
import type { Database } from '../data/database.ts';
import type { InternalRecordsByKind } from './internal-records.ts';
import { createMissingError, StripeApiError } from './stripe-error.ts';

/**
 * Stored objects, keyed by the value of the `object` field. Each object refers to other objects by
 * ID.
 */
export interface ObjectsByType {
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  confirmation_token: Stripe.ConfirmationToken;
  charge: Stripe.Charge;
  balance_transaction: Stripe.BalanceTransaction;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  customer: Stripe.Customer;
  product: Stripe.Product;
  price: Stripe.Price;
  subscription: Stripe.Subscription;
  invoice: Stripe.Invoice;
  invoice_payment: Stripe.InvoicePayment;
  'checkout.session': Stripe.Checkout.Session;
  'billing_portal.configuration': Stripe.BillingPortal.Configuration;
  event: Stripe.Event;
}
export type ObjectType = keyof ObjectsByType;
export type StripeObject = ObjectsByType[ObjectType];

/** A task that Stripe runs automatically at a certain time. */
export type TaskKind =
  'settle-debit' | 'open-dispute' | 'renew-subscription' | 'expire-subscription' | 'expire-session';

export interface Task {
  readonly kind: TaskKind;
  /** ID of the object to which the task applies. */
  readonly id: string;
  /** Unix seconds. */
  readonly dueAt: number;
}

interface LoadedObject {
  readonly object: StripeObject;
  /** Stored JSON, or `undefined` if the object is new. */
  readonly stored: string | undefined;
}

/** Searchable fields. Each field has an index in the database. */
type IndexedField =
  | 'payment_intent'
  | 'payment.payment_intent'
  | 'email'
  | 'customer'
  | 'metadata.donation_form_reference';

/**
 * Stores the emulator's objects. Callers modify the objects that they read, and
 * {@link runInTransaction} saves the modified objects before the commit.
 */
export class Store {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #loaded = new Map<string, LoadedObject>();
  #isInTransaction = false;
  #taskTime: number | undefined;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Current time in Unix seconds. While a task runs, the current time is the task's due time. */
  get now(): number {
    return this.#taskTime ?? Math.floor(this.#now() / 1_000);
  }

  /**
   * Runs the callback in a transaction. Also commits the transaction if the callback throws a
   * `StripeApiError`, because such an error is a result, such as a declined card.
   */
  runInTransaction<Result>(callback: () => Result): Result {
    if (this.#isInTransaction) return callback();
    this.#isInTransaction = true;
    let apiError: StripeApiError | undefined;
    try {
      const result = this.#database.runInTransaction(() => {
        let result: Result | undefined;
        try {
          result = callback();
        } catch (error) {
          if (!(error instanceof StripeApiError)) throw error;
          apiError = error;
        }
        this.#writeChanges();
        return result as Result;
      });
      if (apiError) throw apiError;
      return result;
    } finally {
      this.#isInTransaction = false;
      this.#loaded.clear();
    }
  }

  saveObject<SavedObject extends StripeObject>(object: SavedObject): SavedObject {
    if (!this.#isInTransaction) throw new Error(`${object.id} was saved outside a transaction.`);
    this.#loaded.set(object.id, { object, stored: undefined });
    return object;
  }

  findObject(id: string): StripeObject | undefined {
    const loaded = this.#loaded.get(id);
    if (loaded) return loaded.object;
    const [row] = this.#database.queryAll<{ record: string }>(
      'SELECT record FROM stripeObjects WHERE id = ?',
      id,
    );
    return row && this.#loadObject(row.record);
  }

  hasObject(type: ObjectType, id: string): boolean {
    return this.findObject(id)?.object === type;
  }

  /**
   * Returns an object.
   * @throws StripeApiError if the object does not exist.
   */
  getObject<Name extends ObjectType>(
    type: Name,
    id: string,
    { status = 404, param = 'id' }: { readonly status?: 400 | 404; readonly param?: string } = {},
  ): ObjectsByType[Name] {
    const object = this.findObject(id);
    if (object?.object !== type)
      throw createMissingError(status, type.replaceAll(/[._]/g, ' '), id, param);
    return object as ObjectsByType[Name];
  }

  /** Lists all objects of a type, oldest first. */
  listObjects<Name extends ObjectType>(type: Name): ObjectsByType[Name][] {
    return this.#queryObjects('WHERE type = ? ORDER BY seq', type);
  }

  /**
   * Lists the objects of a type that were created in a period, oldest first.
   * @param from start of the period in Unix seconds, inclusive.
   * @param to end of the period in Unix seconds, inclusive.
   */
  listObjectsCreatedBetween<Name extends ObjectType>(
    type: Name,
    from: number,
    to: number,
  ): ObjectsByType[Name][] {
    return this.#queryObjects(
      `WHERE type = ? AND record ->> '$.created' BETWEEN ? AND ? ORDER BY seq`,
      type,
      from,
      to,
    );
  }

  /** Lists the most recent objects of a type, newest first. */
  listLatestObjects<Name extends ObjectType>(type: Name, count: number): ObjectsByType[Name][] {
    return this.#queryObjects('WHERE type = ? ORDER BY seq DESC LIMIT ?', type, count);
  }

  /** Lists the objects with the given value in an indexed field, oldest first. */
  listObjectsByField<Name extends ObjectType>(
    type: Name,
    field: IndexedField,
    value: string,
  ): ObjectsByType[Name][] {
    return this.#queryObjects(
      `WHERE type = ? AND record ->> '$.${field}' = ? ORDER BY seq`,
      type,
      value,
    );
  }

  getInternalRecord<Kind extends keyof InternalRecordsByKind>(
    kind: Kind,
    key: string,
  ): InternalRecordsByKind[Kind] | undefined {
    const [row] = this.#database.queryAll<{ record: string }>(
      'SELECT record FROM stripeNotes WHERE kind = ? AND key = ?',
      kind,
      key,
    );
    return row && (JSON.parse(row.record) as InternalRecordsByKind[Kind]);
  }

  saveInternalRecord<Kind extends keyof InternalRecordsByKind>(
    kind: Kind,
    key: string,
    record: InternalRecordsByKind[Kind],
  ): void {
    this.#database.execute(
      'INSERT OR REPLACE INTO stripeNotes (kind, key, record) VALUES (?, ?, ?)',
      kind,
      key,
      JSON.stringify(record),
    );
  }

  /** Deletes one record, or all records of the given kind. */
  deleteInternalRecords(kind: keyof InternalRecordsByKind, key?: string): void {
    if (key === undefined) this.#database.execute('DELETE FROM stripeNotes WHERE kind = ?', kind);
    else this.#database.execute('DELETE FROM stripeNotes WHERE kind = ? AND key = ?', kind, key);
  }

  /** Schedules a task, replacing the previous task of the same kind for the same object. */
  scheduleTask(kind: TaskKind, id: string, dueAt: number): void {
    this.#database.execute(
      'INSERT OR REPLACE INTO stripeTasks (kind, id, dueAt) VALUES (?, ?, ?)',
      kind,
      id,
      dueAt,
    );
  }

  cancelTask(kind: TaskKind, id: string): void {
    this.#database.execute('DELETE FROM stripeTasks WHERE kind = ? AND id = ?', kind, id);
  }

  /**
   * Runs the next due task as if the current time were the task's due time.
   * @returns false if no task is due.
   */
  runNextDueTask(run: (task: Task) => void): boolean {
    const [task] = this.#database.queryAll<Task & { readonly dueAt: number }>(
      'SELECT kind, id, dueAt FROM stripeTasks WHERE dueAt <= ? ORDER BY dueAt LIMIT 1',
      this.now,
    );
    if (!task) return false;
    this.#taskTime = task.dueAt;
    try {
      this.runInTransaction(() => {
        this.cancelTask(task.kind, task.id);
        run(task);
      });
    } finally {
      this.#taskTime = undefined;
    }
    return true;
  }

  #queryObjects<Name extends ObjectType>(
    condition: string,
    ...values: (string | number)[]
  ): ObjectsByType[Name][] {
    this.#writeChanges();
    return this.#database
      .queryAll<{ id: string; record: string }>(
        `SELECT id, record FROM stripeObjects ${condition}`,
        ...values,
      )
      .map(
        ({ id, record }) =>
          (this.#loaded.get(id)?.object ?? this.#loadObject(record)) as ObjectsByType[Name],
      );
  }

  #loadObject(record: string): StripeObject {
    const object = JSON.parse(record) as StripeObject;
    if (this.#isInTransaction) this.#loaded.set(object.id, { object, stored: record });
    return object;
  }

  #writeChanges(): void {
    for (const [id, { object, stored }] of this.#loaded) {
      const record = JSON.stringify(object);
      if (record === stored) continue;
      this.#database.execute(
        `INSERT INTO stripeObjects (id, type, record) VALUES (?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
        id,
        object.object,
        record,
      );
      this.#loaded.set(id, { object, stored: record });
    }
  }
}

import type { Database } from '../data/database.ts';
import type { Email, Payment, Source, Subscription } from './records.ts';

export interface ScheduledTask {
  readonly kind: 'payment' | 'subscription';
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Kind of portal access: a single-use link from an email, or a session. */
export type AccessKind = 'link' | 'session';

const MAX_EMAILS = 50;

/** Stores the processor's records. Card and account numbers are never stored. */
export class Ledger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  findPayment(id: string): Payment | undefined {
    return this.#queryPayments('WHERE id = ?', id)[0];
  }

  /** Finds a payment by the secret in the URLs of its pages. */
  findPaymentBySecret(secret: string): Payment | undefined {
    return this.#queryPayments('WHERE secret = ?', secret)[0];
  }

  /** Oldest first. */
  findPaymentsByReference(reference: string): Payment[] {
    return this.#queryPayments('WHERE reference = ? ORDER BY seq', reference);
  }

  /** Oldest first. */
  listSubscriptionPayments(subscription: string): Payment[] {
    return this.#queryPayments('WHERE subscription = ? ORDER BY seq', subscription);
  }

  /**
   * Lists payments created in [`from`, `to`), both ISO 8601, oldest first.
   * @param after ID of the last payment of the previous page.
   */
  listPaymentsBetween(from: string, to: string, after: string, count: number): Payment[] {
    return this.#queryPayments(
      "WHERE record ->> 'created' >= ? AND record ->> 'created' < ? AND seq > coalesce((SELECT seq FROM payments WHERE id = ?), 0) ORDER BY seq LIMIT ?",
      from,
      to,
      after,
      count,
    );
  }

  /** Newest first. */
  listLatestPayments(count: number): Payment[] {
    return this.#queryPayments('ORDER BY seq DESC LIMIT ?', count);
  }

  savePayment(payment: Payment): Payment {
    const { id, reference, subscription, secret, dueAt } = payment;
    this.#database.execute(
      `INSERT INTO payments (id, reference, subscription, secret, dueAt, record)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET dueAt = excluded.dueAt, record = excluded.record`,
      id,
      reference,
      subscription,
      secret,
      dueAt,
      JSON.stringify(payment),
    );
    return payment;
  }

  findSubscription(id: string): Subscription | undefined {
    return this.#queryRecords<Subscription>('SELECT record FROM subscriptions WHERE id = ?', id)[0];
  }

  /** Finds subscriptions by email, ignoring case. */
  findSubscriptionsByEmail(email: string): Subscription[] {
    return this.#queryRecords<Subscription>(
      'SELECT record FROM subscriptions WHERE email = ? ORDER BY rowid',
      email.toLowerCase(),
    );
  }

  saveSubscription(subscription: Subscription): Subscription {
    const { id, email, nextAt } = subscription;
    this.#database.execute(
      `INSERT INTO subscriptions (id, email, nextAt, record)
        VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET nextAt = excluded.nextAt, record = excluded.record`,
      id,
      email.toLowerCase(),
      nextAt,
      JSON.stringify(subscription),
    );
    return subscription;
  }

  /** Returns the earliest task scheduled up to `until`, ignoring tasks with the excluded IDs. */
  findNextTask(until: string, excludedIds: readonly string[]): ScheduledTask | undefined {
    return this.#database.queryAll<ScheduledTask>(
      `
      SELECT * FROM (
        SELECT 'payment' AS kind, id, dueAt AS at FROM payments WHERE dueAt <= ?1
        UNION ALL SELECT 'subscription', id, nextAt FROM subscriptions WHERE nextAt <= ?1
      ) WHERE id NOT IN (SELECT value FROM json_each(?2)) ORDER BY at LIMIT 1`,
      until,
      JSON.stringify(excludedIds),
    )[0];
  }

  insertToken(token: string, source: Source): void {
    this.#database.execute('INSERT INTO tokens VALUES (?, ?)', token, JSON.stringify(source));
  }

  /** Finds the payment source of a token without consuming it. */
  findTokenSource(token: string): Source | undefined {
    return this.#queryRecords<Source>('SELECT record FROM tokens WHERE token = ?', token)[0];
  }

  /** Returns the payment source of a token and deletes the token, which can be used only once. */
  consumeToken(token: string): Source | undefined {
    return this.#queryRecords<Source>(
      'DELETE FROM tokens WHERE token = ? RETURNING record',
      token,
    )[0];
  }

  /** Finds the first request made with an idempotency key, and its response. */
  findIdempotentResponse(
    key: string,
  ): { readonly request: string; readonly response: string } | undefined {
    return this.#database.queryAll<{ request: string; response: string }>(
      'SELECT request, response FROM idempotencyKeys WHERE key = ?',
      key,
    )[0];
  }

  insertIdempotentResponse(key: string, request: string, response: string): void {
    this.#database.execute('INSERT INTO idempotencyKeys VALUES (?, ?, ?)', key, request, response);
  }

  /** Stores an email, and deletes the oldest ones beyond the limit. */
  insertEmail(email: Email): void {
    this.#database.execute('INSERT INTO emails (record) VALUES (?)', JSON.stringify(email));
    this.#database.execute(
      'DELETE FROM emails WHERE id <= (SELECT max(id) FROM emails) - ?',
      MAX_EMAILS,
    );
  }

  /** Newest first. */
  listEmails(): Email[] {
    return this.#queryRecords<Email>('SELECT record FROM emails ORDER BY id DESC');
  }

  /** @param expiresAt ISO 8601. */
  grantAccess(kind: AccessKind, secret: string, email: string, expiresAt: string): void {
    this.#database.execute(
      'INSERT INTO portalSecrets VALUES (?, ?, ?, ?)',
      secret,
      kind,
      email,
      expiresAt,
    );
  }

  /** Returns the email that a secret gives access to, if it has not expired. */
  findAccessEmail(kind: AccessKind, secret: string, now: string): string | undefined {
    return this.#database.queryAll<{ email: string }>(
      'SELECT email FROM portalSecrets WHERE secret = ? AND kind = ? AND expiresAt > ?',
      secret,
      kind,
      now,
    )[0]?.email;
  }

  revokeAccess(secret: string): void {
    this.#database.execute('DELETE FROM portalSecrets WHERE secret = ?', secret);
  }

  #queryPayments(clauses: string, ...values: (string | number)[]): Payment[] {
    return this.#queryRecords<Payment>(`SELECT record FROM payments ${clauses}`, ...values);
  }

  #queryRecords<Kind>(sql: string, ...values: (string | number)[]): Kind[] {
    return this.#database
      .queryAll<{ record: string }>(sql, ...values)
      .map(({ record }) => JSON.parse(record) as Kind);
  }
}

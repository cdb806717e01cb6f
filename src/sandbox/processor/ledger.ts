import type { Database } from '../data/database.ts';
import type { Mail, Payment, Source, Subscription } from './records.ts';

export interface DueItem {
  readonly kind: 'payment' | 'subscription';
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A link of a mail works once; a session lasts a while. */
export type Access = 'link' | 'session';

const MOST_MAILS = 50;

/** What the processor remembers. No card number and no account number is ever kept. */
export class Ledger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  payment(id: string): Payment | undefined {
    return this.#payments('WHERE id = ?', id)[0];
  }

  /** The payment whose pages' addresses have this part. */
  paymentBehind(secret: string): Payment | undefined {
    return this.#payments('WHERE secret = ?', secret)[0];
  }

  /** The oldest first. */
  paymentsUnder(reference: string): Payment[] {
    return this.#payments('WHERE reference = ? ORDER BY seq', reference);
  }

  /** The oldest first. */
  paymentsOf(subscription: string): Payment[] {
    return this.#payments('WHERE subscription = ? ORDER BY seq', subscription);
  }

  /**
   * Those that were opened from one moment until before another, both ISO 8601, the oldest first.
   * @param after the id of the last one that is passed over.
   */
  paymentsBetween(from: string, to: string, after: string, count: number): Payment[] {
    return this.#payments(
      "WHERE record ->> 'created' >= ? AND record ->> 'created' < ? AND seq > coalesce((SELECT seq FROM payments WHERE id = ?), 0) ORDER BY seq LIMIT ?",
      from,
      to,
      after,
      count,
    );
  }

  /** The newest first. */
  latestPayments(count: number): Payment[] {
    return this.#payments('ORDER BY seq DESC LIMIT ?', count);
  }

  keepPayment(payment: Payment): Payment {
    const { id, reference, subscription, secret, dueAt } = payment;
    this.#database.run(
      'INSERT INTO payments (id, reference, subscription, secret, dueAt, record) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET dueAt = excluded.dueAt, record = excluded.record',
      id,
      reference,
      subscription,
      secret,
      dueAt,
      JSON.stringify(payment),
    );
    return payment;
  }

  subscription(id: string): Subscription | undefined {
    return this.#records<Subscription>('SELECT record FROM subscriptions WHERE id = ?', id)[0];
  }

  /** The subscriptions of an e-mail address, in any case. */
  subscriptionsOf(email: string): Subscription[] {
    return this.#records<Subscription>(
      'SELECT record FROM subscriptions WHERE email = ? ORDER BY rowid',
      email.toLowerCase(),
    );
  }

  keepSubscription(subscription: Subscription): Subscription {
    const { id, email, nextAt } = subscription;
    this.#database.run(
      'INSERT INTO subscriptions (id, email, nextAt, record) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET nextAt = excluded.nextAt, record = excluded.record',
      id,
      email.toLowerCase(),
      nextAt,
      JSON.stringify(subscription),
    );
    return subscription;
  }

  /** What the clock brings about first, up to a moment. @param without ids to leave aside. */
  firstDue(until: string, without: readonly string[]): DueItem | undefined {
    return this.#database.all<DueItem>(
      `
      SELECT * FROM (
        SELECT 'payment' AS kind, id, dueAt AS at FROM payments WHERE dueAt <= ?1
        UNION ALL SELECT 'subscription', id, nextAt FROM subscriptions WHERE nextAt <= ?1
      ) WHERE id NOT IN (SELECT value FROM json_each(?2)) ORDER BY at LIMIT 1`,
      until,
      JSON.stringify(without),
    )[0];
  }

  keepToken(token: string, source: Source): void {
    this.#database.run('INSERT INTO tokens VALUES (?, ?)', token, JSON.stringify(source));
  }

  /** What a token stands for, which can still be used. */
  sourceOf(token: string): Source | undefined {
    return this.#records<Source>('SELECT record FROM tokens WHERE token = ?', token)[0];
  }

  /** Takes a token, which works once. */
  takeToken(token: string): Source | undefined {
    return this.#records<Source>('DELETE FROM tokens WHERE token = ? RETURNING record', token)[0];
  }

  /** What a key brought about before, and the request that it came with. */
  answerTo(key: string): { readonly request: string; readonly answer: string } | undefined {
    return this.#database.all<{ request: string; answer: string }>(
      'SELECT request, answer FROM paymentKeys WHERE key = ?',
      key,
    )[0];
  }

  keepAnswer(key: string, request: string, answer: string): void {
    this.#database.run('INSERT INTO paymentKeys VALUES (?, ?, ?)', key, request, answer);
  }

  /** Keeps a mail, and of the older ones the latest. */
  keepMail(mail: Mail): void {
    this.#database.run('INSERT INTO mails (record) VALUES (?)', JSON.stringify(mail));
    this.#database.run('DELETE FROM mails WHERE id <= (SELECT max(id) FROM mails) - ?', MOST_MAILS);
  }

  /** The newest first. */
  mails(): Mail[] {
    return this.#records<Mail>('SELECT record FROM mails ORDER BY id DESC');
  }

  /** @param until ISO 8601. */
  grantAccess(kind: Access, secret: string, email: string, until: string): void {
    this.#database.run('INSERT INTO portalAccess VALUES (?, ?, ?, ?)', secret, kind, email, until);
  }

  /** The e-mail address that a secret gives access to now. */
  accessOf(kind: Access, secret: string, now: string): string | undefined {
    return this.#database.all<{ email: string }>(
      'SELECT email FROM portalAccess WHERE secret = ? AND kind = ? AND until > ?',
      secret,
      kind,
      now,
    )[0]?.email;
  }

  endAccess(secret: string): void {
    this.#database.run('DELETE FROM portalAccess WHERE secret = ?', secret);
  }

  #payments(which: string, ...values: (string | number)[]): Payment[] {
    return this.#records<Payment>(`SELECT record FROM payments ${which}`, ...values);
  }

  #records<Kind>(sql: string, ...values: (string | number)[]): Kind[] {
    return this.#database
      .all<{ record: string }>(sql, ...values)
      .map(({ record }) => JSON.parse(record) as Kind);
  }
}

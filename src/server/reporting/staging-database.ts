import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { ListedPayment } from '../payments/payment-gateway.ts';
import type { ListedPlatformGift } from '../platform/platform-adapter.ts';

/** A payment with the provider that listed it. */
export interface StagedPayment extends ListedPayment {
  readonly provider: string;
}

const HELD = 500;

/**
 * What processor and platform listed, while it is compared: in a database of its own, which goes to
 * a temporary file when it grows and is gone at the end.
 */
export class StagingDatabase implements Disposable {
  readonly #db = new DatabaseSync('');
  readonly #statements = new Map<string, StatementSync>();

  constructor() {
    this.#db.exec(`
      CREATE TABLE payments (seq INTEGER PRIMARY KEY, provider TEXT NOT NULL, id TEXT NOT NULL, reference TEXT, at INTEGER NOT NULL, record TEXT NOT NULL, seen INTEGER NOT NULL DEFAULT 0, UNIQUE (provider, id));
      CREATE INDEX payments_at ON payments (at, seq);
      CREATE INDEX payments_reference ON payments (reference);
      CREATE TABLE platform (seq INTEGER PRIMARY KEY, reference TEXT NOT NULL, record TEXT NOT NULL, seen INTEGER NOT NULL DEFAULT 0);
      CREATE INDEX platform_reference ON platform (reference);
      BEGIN`);
  }

  addPayment(payment: StagedPayment): void {
    this.#run(
      'INSERT INTO payments (provider, id, reference, at, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      payment.provider,
      payment.paymentId,
      payment.reference ?? null,
      payment.at.getTime(),
      JSON.stringify(payment),
    );
  }

  /** A payment by its id, which is one that the database knows from now on. */
  matchPaymentById(provider: string, id: string): StagedPayment | undefined {
    return this.#payments(
      'UPDATE payments SET seen = 1 WHERE provider = ? AND id = ? RETURNING seq, record',
      provider,
      id,
    )[0];
  }

  /** The payments that carry a reference, which the database knows from now on. */
  matchPaymentsByReference(provider: string, reference: string): StagedPayment[] {
    return this.#payments(
      'UPDATE payments SET seen = 1 WHERE provider = ? AND reference = ? RETURNING seq, record',
      provider,
      reference,
    );
  }

  /**
   * The payments that the database did not know, the oldest first, so that renewals get their
   * references in their order.
   */
  *listUnmatchedPayments(): Generator<StagedPayment> {
    for (let last: StagedPayment | undefined, seq = 0; ;) {
      const rows = this.#all(
        `SELECT seq, record FROM payments WHERE seen = 0 AND (at, seq) > (?, ?) ORDER BY at, seq LIMIT ${HELD}`,
        last?.at.getTime() ?? -1,
        seq,
      );
      for (const row of rows) {
        last = readPayment(row.record);
        seq = row.seq;
        yield last;
      }
      if (rows.length < HELD) return;
    }
  }

  addGift(gift: ListedPlatformGift): void {
    this.#run(
      'INSERT INTO platform (reference, record) VALUES (?, ?)',
      gift.reference,
      JSON.stringify(gift),
    );
  }

  /** What the platform has under a reference, which the database knows from now on. */
  matchGiftsByReference(reference: string): ListedPlatformGift[] {
    return this.#all(
      'UPDATE platform SET seen = 1 WHERE reference = ? RETURNING seq, record',
      reference,
    ).map(({ record }) => readGift(record));
  }

  /** What the platform has and the database did not know. */
  *listUnmatchedGifts(): Generator<ListedPlatformGift> {
    for (let last = 0; ;) {
      const rows = this.#all(
        `SELECT seq, record FROM platform WHERE seq > ? AND seen = 0 ORDER BY seq LIMIT ${HELD}`,
        last,
      );
      for (const { record } of rows) yield readGift(record);
      if (rows.length < HELD) return;
      last = rows.at(-1)!.seq;
    }
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #payments(sql: string, ...values: SQLInputValue[]): StagedPayment[] {
    return this.#all(sql, ...values).map(({ record }) => readPayment(record));
  }

  #all(
    sql: string,
    ...values: SQLInputValue[]
  ): { readonly seq: number; readonly record: string }[] {
    return this.#statement(sql).all(...values) as { seq: number; record: string }[];
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

function readPayment(record: string): StagedPayment {
  const payment = JSON.parse(record) as Omit<StagedPayment, 'at'> & { readonly at: string };
  return { ...payment, at: new Date(payment.at) };
}

function readGift(record: string): ListedPlatformGift {
  const { at, ...gift } = JSON.parse(record) as Omit<ListedPlatformGift, 'at'> & {
    readonly at?: string;
  };
  return { ...gift, at: at === undefined ? undefined : new Date(at) };
}

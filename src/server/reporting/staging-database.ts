import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { ListedPayment } from '../payments/payment-gateway.ts';
import type { ListedPlatformGift } from '../platform/platform-adapter.ts';

export interface StagedPayment extends ListedPayment {
  readonly provider: string;
}

/** Limits memory use. */
const PAGE_SIZE = 500;

/** SQLite moves this database to a temporary file if it grows large. */
export class StagingDatabase implements Disposable {
  readonly #db = new DatabaseSync('');
  readonly #statements = new Map<string, StatementSync>();

  constructor() {
    this.#db.exec(`
      CREATE TABLE payments (
        seq INTEGER PRIMARY KEY, provider TEXT NOT NULL, id TEXT NOT NULL, reference TEXT,
        at INTEGER NOT NULL, record TEXT NOT NULL, matched INTEGER NOT NULL DEFAULT 0,
        UNIQUE (provider, id)
      );
      CREATE INDEX payments_at ON payments (at, seq);
      CREATE INDEX payments_reference ON payments (reference);
      CREATE TABLE gifts (
        seq INTEGER PRIMARY KEY, reference TEXT NOT NULL, record TEXT NOT NULL,
        matched INTEGER NOT NULL DEFAULT 0
      );
      CREATE INDEX gifts_reference ON gifts (reference);
      BEGIN`);
  }

  insertPaymentIfNew(payment: StagedPayment): void {
    this.#prepare(
      'INSERT INTO payments (provider, id, reference, at, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ).run(
      payment.provider,
      payment.paymentId,
      payment.reference ?? null,
      payment.at.getTime(),
      JSON.stringify(payment),
    );
  }

  findPaymentAndMarkMatched(provider: string, id: string): StagedPayment | undefined {
    return this.#selectPayments(
      'UPDATE payments SET matched = 1 WHERE provider = ? AND id = ? RETURNING seq, record',
      provider,
      id,
    )[0];
  }

  listPaymentsAndMarkMatched(provider: string, reference: string): StagedPayment[] {
    return this.#selectPayments(
      'UPDATE payments SET matched = 1 WHERE provider = ? AND reference = ? RETURNING seq, record',
      provider,
      reference,
    );
  }

  /** Oldest first, because the server numbers renewals in the order in which it saves them. */
  *iterateUnmatchedPayments(): Generator<StagedPayment> {
    for (let last: StagedPayment | undefined, seq = 0; ;) {
      const rows = this.#selectRows(
        `SELECT seq, record FROM payments WHERE matched = 0 AND (at, seq) > (?, ?) ORDER BY at, seq LIMIT ${PAGE_SIZE}`,
        last?.at.getTime() ?? -1,
        seq,
      );
      for (const row of rows) {
        last = parsePayment(row.record);
        seq = row.seq;
        yield last;
      }
      if (rows.length < PAGE_SIZE) return;
    }
  }

  insertGift(gift: ListedPlatformGift): void {
    this.#prepare('INSERT INTO gifts (reference, record) VALUES (?, ?)').run(
      gift.reference,
      JSON.stringify(gift),
    );
  }

  listGiftsAndMarkMatched(reference: string): ListedPlatformGift[] {
    return this.#selectRows(
      'UPDATE gifts SET matched = 1 WHERE reference = ? RETURNING seq, record',
      reference,
    ).map(({ record }) => parseGift(record));
  }

  *iterateUnmatchedGifts(): Generator<ListedPlatformGift> {
    for (let last = 0; ;) {
      const rows = this.#selectRows(
        `SELECT seq, record FROM gifts WHERE seq > ? AND matched = 0 ORDER BY seq LIMIT ${PAGE_SIZE}`,
        last,
      );
      for (const { record } of rows) yield parseGift(record);
      if (rows.length < PAGE_SIZE) return;
      last = rows.at(-1)!.seq;
    }
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #selectPayments(sql: string, ...values: SQLInputValue[]): StagedPayment[] {
    return this.#selectRows(sql, ...values).map(({ record }) => parsePayment(record));
  }

  #selectRows(
    sql: string,
    ...values: SQLInputValue[]
  ): { readonly seq: number; readonly record: string }[] {
    return this.#prepare(sql).all(...values) as { seq: number; record: string }[];
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function parsePayment(record: string): StagedPayment {
  const payment = JSON.parse(record) as Omit<StagedPayment, 'at'> & { readonly at: string };
  return { ...payment, at: new Date(payment.at) };
}

function parseGift(record: string): ListedPlatformGift {
  const { at, ...gift } = JSON.parse(record) as Omit<ListedPlatformGift, 'at'> & {
    readonly at?: string;
  };
  return { ...gift, at: at === undefined ? undefined : new Date(at) };
}

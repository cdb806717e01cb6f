import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { ListedPayment } from '../payments/payment-gateway.ts';
import type { ListedPlatformGift } from '../platform/platform-adapter.ts';

export interface StagedPayment extends ListedPayment {
  readonly provider: string;
}

interface StagedRecords {
  readonly payment: StagedPayment;
  readonly gift: ListedPlatformGift;
}

/** Limits memory use. */
const PAGE_SIZE = 500;

/** SQLite moves this database to a temporary file if it grows large. */
export class StagingDatabase implements Disposable {
  readonly #db = new DatabaseSync('');
  readonly #statements = new Map<string, StatementSync>();

  constructor() {
    this.#db.exec(`
      CREATE TABLE records (
        seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, provider TEXT, id TEXT, reference TEXT,
        at INTEGER NOT NULL, record TEXT NOT NULL, matched INTEGER NOT NULL DEFAULT 0,
        UNIQUE (provider, id)
      );
      CREATE INDEX records_at ON records (kind, at, seq);
      CREATE INDEX records_reference ON records (reference);
      BEGIN`);
  }

  insertPaymentIfNew(payment: StagedPayment): void {
    const { provider, paymentId, at } = payment;
    this.#insert('payment', payment, provider, paymentId, at.getTime());
  }

  insertGift(gift: ListedPlatformGift): void {
    // SQLite never treats NULLs as duplicates, and equal times keep the platform's order.
    this.#insert('gift', gift, null, null, 0);
  }

  findPaymentAndMarkMatched(provider: string, id: string): StagedPayment | undefined {
    return this.#listAndMarkMatched('payment', 'provider = ? AND id = ?', provider, id)[0];
  }

  listPaymentsAndMarkMatched(provider: string, reference: string): StagedPayment[] {
    return this.#listAndMarkMatched(
      'payment',
      'provider = ? AND reference = ?',
      provider,
      reference,
    );
  }

  listGiftsAndMarkMatched(reference: string): ListedPlatformGift[] {
    return this.#listAndMarkMatched('gift', 'reference = ?', reference);
  }

  /**
   * Yields payments from oldest to newest, because the server numbers renewals in the order in which
   * it saves them, and gifts in the platform's order.
   */
  *iterateUnmatched<Kind extends keyof StagedRecords>(kind: Kind): Generator<StagedRecords[Kind]> {
    const select = this.#prepare(
      `SELECT seq, at, record FROM records WHERE kind = ? AND matched = 0 AND (at, seq) > (?, ?) ORDER BY at, seq LIMIT ${PAGE_SIZE}`,
    );
    for (let last = { at: -1, seq: 0 }; ;) {
      const rows = select.all(kind, last.at, last.seq) as (typeof last & { record: string })[];
      for (const { record } of rows) yield parseRecord(record) as StagedRecords[Kind];
      if (rows.length < PAGE_SIZE) return;
      last = rows.at(-1)!;
    }
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #insert<Kind extends keyof StagedRecords>(
    kind: Kind,
    record: StagedRecords[Kind],
    ...columns: readonly [provider: string | null, id: string | null, at: number]
  ): void {
    this.#prepare(
      'INSERT INTO records (kind, reference, record, provider, id, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ).run(kind, record.reference ?? null, JSON.stringify(record), ...columns);
  }

  #listAndMarkMatched<Kind extends keyof StagedRecords>(
    kind: Kind,
    condition: string,
    ...values: SQLInputValue[]
  ): StagedRecords[Kind][] {
    const rows = this.#prepare(
      `UPDATE records SET matched = 1 WHERE kind = ? AND ${condition} RETURNING record`,
    ).all(kind, ...values) as { record: string }[];
    return rows.map(({ record }) => parseRecord(record) as StagedRecords[Kind]);
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function parseRecord(text: string): object {
  const { at, ...record } = JSON.parse(text) as { readonly at?: string };
  return { ...record, at: at === undefined ? undefined : new Date(at) };
}

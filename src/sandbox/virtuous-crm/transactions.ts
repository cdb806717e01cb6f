import type { Database } from '../data/database.ts';
import type { JsonObject } from '../lib/request-parsing.ts';

const DAY = 86_400_000;

/** A gift transaction, as received for the import. */
export interface GiftTransaction {
  /** ID of the gift that the nightly import creates. */
  readonly id: number;
  readonly source: string;
  readonly transactionId: string;
  /** ISO 8601. */
  readonly received: string;
  readonly body: JsonObject;
}

interface Row {
  readonly id: number;
  readonly source: string;
  readonly transactionId: string;
  readonly received: string;
  readonly record: string;
}

/**
 * Stores one gift transaction for each combination of source and ID. The emulated import runs at
 * midnight UTC. The documentation states only that the import runs every night.
 */
export class GiftTransactions {
  readonly #database: Database;
  readonly #now: () => Date;

  constructor(database: Database, now: () => Date) {
    this.#database = database;
    this.#now = now;
  }

  /** @returns false if a transaction with this source and ID already exists. */
  insertIfNew(source: string, transactionId: string, body: JsonObject): boolean {
    return this.#database.runInTransaction(() => {
      if (this.#find(source, transactionId)) return false;
      this.#database.execute(
        'INSERT INTO crmTransactions (source, transactionId, received, record) VALUES (?, ?, ?, ?)',
        source,
        transactionId,
        this.#now().toISOString(),
        JSON.stringify(body),
      );
      return true;
    });
  }

  /** Oldest first. */
  list(): GiftTransaction[] {
    return this.#database
      .queryAll<Row>('SELECT * FROM crmTransactions ORDER BY id')
      .map(parseTransaction);
  }

  /** Finds a transaction that the nightly import has turned into a gift. */
  findGift(source: string, transactionId: string): GiftTransaction | undefined {
    const transaction = this.#find(source, transactionId);
    return transaction && this.#isImported(transaction) ? transaction : undefined;
  }

  #find(source: string, transactionId: string): GiftTransaction | undefined {
    return this.#database
      .queryAll<Row>(
        'SELECT * FROM crmTransactions WHERE source = ? AND transactionId = ?',
        source,
        transactionId,
      )
      .map(parseTransaction)[0];
  }

  #isImported({ received }: GiftTransaction): boolean {
    return Math.floor(this.#now().getTime() / DAY) > Math.floor(Date.parse(received) / DAY);
  }
}

function parseTransaction({ record, ...row }: Row): GiftTransaction {
  return { ...row, body: JSON.parse(record) as JsonObject };
}

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SCHEMA } from './schema.ts';

/** An SQLite database, in a file or in memory. */
export class Database {
  readonly #db: DatabaseSync;
  /**
   * Prepared statements, keyed by SQL text. The database reuses them because preparing a statement
   * usually takes longer than running it.
   */
  readonly #prepared = new Map<string, StatementSync>();

  constructor(file = ':memory:') {
    this.#db = new DatabaseSync(file);
    this.#db.exec(SCHEMA);
  }

  /** Runs a statement and returns the last inserted row ID. */
  execute(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  queryAll<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as unknown as Row[];
  }

  /** Runs the callback in a transaction. Nested calls join the outer transaction. */
  runInTransaction<Result>(callback: () => Result): Result {
    if (this.#db.isTransaction) return callback();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = callback();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#db.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

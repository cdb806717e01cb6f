import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { TABLES } from './schema.ts';

/** The sandbox's tables, in one SQLite file or in memory. */
export class Database {
  readonly #db: DatabaseSync;
  /** By their SQL: preparing a statement costs more than running most of them. */
  readonly #prepared = new Map<string, StatementSync>();

  constructor(file = ':memory:') {
    this.#db = new DatabaseSync(file);
    this.#db.exec(TABLES);
  }

  /** @returns the id of the row that was inserted last. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as unknown as Row[];
  }

  /** Does all of some work or none of it; inside other such work, as a part of it. */
  together<Result>(work: () => Result): Result {
    if (this.#db.isTransaction) return work();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
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

import type { DatabaseSync } from 'node:sqlite';
import type { SqliteDatabase } from 'kysely';

const MAX_STATEMENTS = 200;

/** Adapts `node:sqlite` to the better-sqlite3 interface that Kysely expects. Caches statements. */
export function adaptSqliteForKysely(sqlite: DatabaseSync): SqliteDatabase {
  const ready = new Map<string, ReturnType<typeof prepareCached>>();
  const prepareCached = (sql: string) => {
    const statement = sqlite.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => statement.all(...(parameters as null[])),
      // SQLite may already have rolled back. Another ROLLBACK would hide the original error.
      run: (parameters: readonly unknown[]) =>
        sql === 'rollback' && !sqlite.isTransaction
          ? { changes: 0, lastInsertRowid: 0 }
          : statement.run(...(parameters as null[])),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as null[])),
    };
  };
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      let statement = ready.get(sql);
      if (!statement) {
        if (ready.size >= MAX_STATEMENTS) ready.clear();
        ready.set(sql, (statement = prepareCached(sql)));
      }
      return statement;
    },
  };
}

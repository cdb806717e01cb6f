import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** A row of the table `donations`. */
export type SampleRow = Readonly<Record<string, SQLInputValue>>;

/**
 * Opens an SQLite file with the server's settings and schema.
 * @param file must have `FILE.sample.json` next to it, with the schema and a sample row.
 * @returns the database, and a function that inserts the row under a new key.
 */
export function openBareDatabase(file: string): {
  readonly database: DatabaseSync;
  readonly insert: () => void;
} {
  const { statements, row } = JSON.parse(readFileSync(`${file}.sample.json`, 'utf8')) as {
    readonly statements: readonly string[];
    readonly row: SampleRow;
  };
  const database = new DatabaseSync(file);
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = 4000; PRAGMA wal_autocheckpoint = 4000; DROP TABLE IF EXISTS donations; ${statements.map((statement) => `${statement};`).join(' ')}`,
  );
  const names = Object.keys(row);
  const statement = database.prepare(
    `INSERT INTO donations (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  return {
    database,
    insert: () => {
      const id = randomUUID();
      statement.run(
        ...names.map((name) =>
          name === 'reference' || name === 'idempotency_key_hash' ? id : row[name]!,
        ),
      );
    },
  };
}

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** A row of the database, as {@link openBareDatabase} reads it. */
export type SampleRow = Readonly<Record<string, SQLInputValue>>;

/**
 * Opens an SQLite file with the database's settings and a table like its own.
 * @param file beside it, `file.sample.json` holds a row of the database.
 * @returns keeps such a row under a new key, in a transaction of its own.
 */
export function openBareDatabase(file: string): () => void {
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
  return () => {
    const id = randomUUID();
    statement.run(
      ...names.map((name) =>
        name === 'reference' || name === 'idempotency_key_hash' ? id : row[name]!,
      ),
    );
  };
}

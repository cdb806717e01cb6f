import type { Database } from './database.ts';
import { openPostgres, type PostgresOptions } from './postgres-database.ts';
import { openSqliteFile } from './sqlite-database.ts';

/**
 * Opens the PostgreSQL database at `url` or, without a URL, the SQLite file, for exclusive use.
 * @param options.url such as `postgres://user:password@host/name`.
 * @throws {Error} if the database cannot be opened, if its settings could cause it to lose commits,
 *   or if another process is using the file.
 */
export function openDatabase({
  file,
  url,
  ...options
}: {
  readonly file: string;
  readonly url?: string | undefined;
} & PostgresOptions): Promise<Database> {
  return url === undefined ? openSqliteFile(file) : openPostgres(url, options);
}

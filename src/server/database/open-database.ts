import type { Database } from './database.ts';
import { openPostgres, type PostgresOptions } from './postgres-database.ts';
import { openSqliteFile } from './sqlite-database.ts';

/**
 * Opens the PostgreSQL database at `url`. Without a URL, opens the SQLite file for exclusive use by
 * this process.
 * @param options.url PostgreSQL URL, such as `postgres://user:password@host/name`.
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

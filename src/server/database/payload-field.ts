import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * Selects a field of the `payload` column. Its type depends on the database, so the caller must
 * cast it.
 * @param path property names, such as `['gift', 'total']`.
 */
export function selectPayloadField<T = string>(
  db: Pick<Kysely<Tables>, 'getExecutor'>,
  table: 'donations' | 'outbox',
  path: readonly string[],
): RawBuilder<T> {
  const column = sql.ref(`${table}.payload`);
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`${column}::json #>> ${sql.lit(`{${path.join(',')}}`)}`
    : sql`json_extract(${column}, ${sql.lit(`$.${path.join('.')}`)})`;
}

import { PostgresAdapter, sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * Builds an expression for a field of a JSON column `payload`. The field's type depends on the
 * database, so cast or convert it.
 * @param path keys, such as `['gift', 'total']`.
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

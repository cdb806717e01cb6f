import type { CompiledQuery, DialectAdapter, Insertable, Transaction } from 'kysely';
import { rejectUndefinedValue } from './database-error.ts';
import { rowMapper } from './row-mapper.ts';
import type { Tables } from './schema.ts';

/**
 * Creates a function that inserts a row, or returns false if its key exists. Compiles the query
 * once per database, because compiling takes longer than running it in SQLite.
 * @param key column with the unique constraint.
 */
export function createPreparedInsert<Name extends 'outbox' | 'webhookMessages'>(
  table: Name,
  key: keyof Tables[Name] & string,
): (transaction: Transaction<Tables>, row: Insertable<Tables[Name]>) => Promise<boolean> {
  const compiled = new WeakMap<
    DialectAdapter,
    { readonly query: CompiledQuery; readonly columns: readonly (keyof Insertable<Tables[Name]>)[] }
  >();
  return async (transaction, row) => {
    const { adapter } = transaction.getExecutor();
    let insert = compiled.get(adapter);
    for (const name of insert?.columns ?? (Object.keys(row) as (keyof typeof row)[]))
      if (row[name] === undefined)
        rejectUndefinedValue(rowMapper.toSnakeCase(`${table}.${String(name)}`));
    if (!insert) {
      insert = {
        query: transaction
          .insertInto(table)
          .values(row)
          .onConflict((conflict) => conflict.column(key as never).doNothing())
          .compile(),
        columns: Object.keys(row) as (keyof Insertable<Tables[Name]>)[],
      };
      compiled.set(adapter, insert);
    }
    const { query, columns } = insert;
    const { numAffectedRows } = await transaction.executeQuery({
      ...query,
      parameters: columns.map((name) => row[name]),
    });
    return numAffectedRows === 1n;
  };
}

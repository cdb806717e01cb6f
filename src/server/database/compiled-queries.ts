import type { Compilable, CompiledQuery, DialectAdapter, Insertable, Transaction } from 'kysely';
import type { Database } from './database.ts';
import { rejectUndefinedValue } from './database-error.ts';
import { rowMapper } from './row-mapper.ts';
import type { Tables } from './schema.ts';

/**
 * Inserts a row, and returns true if its ID is new. Compiled once, because compiling takes longer
 * than running in SQLite.
 */
export function createPreparedInsert<
  Name extends 'outbox' | 'webhookMessages' | 'mailMessages' | 'receipts',
>(table: Name) {
  type Row = Insertable<Tables[Name]>;
  const compiled = new WeakMap<DialectAdapter, { query: CompiledQuery; columns: (keyof Row)[] }>();
  return async (transaction: Transaction<Tables>, row: Row): Promise<boolean> => {
    const { adapter } = transaction.getExecutor();
    const columns = compiled.get(adapter)?.columns ?? (Object.keys(row) as (keyof Row)[]);
    for (const name of columns)
      if (row[name] === undefined)
        rejectUndefinedValue(rowMapper.toSnakeCase(`${table}.${String(name)}`));
    const query =
      compiled.get(adapter)?.query ??
      transaction
        .insertInto(table)
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .compile();
    compiled.set(adapter, { query, columns });
    const parameters = columns.map((name) => row[name]);
    const { numAffectedRows } = await transaction.executeQuery({ ...query, parameters });
    return numAffectedRows === 1n;
  };
}

/** @param query has any value for its only parameter. */
export function compileLookup<Row extends object>(
  database: Pick<Database, 'runCompiled'>,
  query: Compilable<Row>,
): (parameter: string) => Promise<Row | undefined> {
  const compiled = query.compile();
  return async (parameter) => {
    const [row] = await database.runCompiled({ ...compiled, parameters: [parameter] });
    return row && (rowMapper.mapRow(row) as Row);
  };
}

import type { CompiledQuery, DialectAdapter, Insertable, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * An insert that leaves what is known already as it is. It is compiled once for each database:
 * building it for every gift takes longer than SQLite needs to carry it out.
 * @param key the column by which a row is known.
 * @returns keeps a row, and says whether it was new.
 */
export function preparedInsert<Name extends 'donations' | 'outbox' | 'webhook_messages'>(
  table: Name,
  key: keyof Tables[Name] & string,
): (transaction: Transaction<Tables>, row: Insertable<Tables[Name]>) => Promise<boolean> {
  const ready = new WeakMap<
    DialectAdapter,
    { readonly query: CompiledQuery; readonly columns: readonly (keyof Insertable<Tables[Name]>)[] }
  >();
  return async (transaction, row) => {
    const { adapter } = transaction.getExecutor();
    let found = ready.get(adapter);
    if (!found) {
      found = {
        query: transaction
          .insertInto(table)
          .values(row)
          .onConflict((conflict) => conflict.column(key as never).doNothing())
          .compile(),
        columns: Object.keys(row) as (keyof Insertable<Tables[Name]>)[],
      };
      ready.set(adapter, found);
    }
    const { query, columns } = found;
    const { numAffectedRows } = await transaction.executeQuery({
      ...query,
      parameters: columns.map((name) => row[name]),
    });
    return numAffectedRows === 1n;
  };
}

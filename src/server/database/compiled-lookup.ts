import type { Compilable, CompiledQuery, UnknownRow } from 'kysely';
import { rowMapper } from './row-mapper.ts';

export type QueryRunner = (query: CompiledQuery) => Promise<readonly UnknownRow[]>;

/**
 * Compiles a query once instead of for each request.
 * @param query has any value for its only parameter.
 */
export function compileLookup<Row extends object>(
  database: { readonly runCompiled: QueryRunner },
  query: Compilable<Row>,
): (parameter: string) => Promise<Row | undefined> {
  const compiled = query.compile();
  return async (parameter) => {
    const [row] = await database.runCompiled({ ...compiled, parameters: [parameter] });
    return row && (rowMapper.mapRow(row) as Row);
  };
}

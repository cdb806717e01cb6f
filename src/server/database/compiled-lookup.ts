import type { Compilable, CompiledQuery, UnknownRow } from 'kysely';
import { rowMapper } from './row-mapper.ts';

/** Runs a compiled query and returns its rows, unparsed. */
export type QueryRunner = (query: CompiledQuery) => Promise<readonly UnknownRow[]>;

/**
 * Compiles a query with one parameter, so that the query builder does not build it again for each
 * request.
 * @param query has any value for the parameter.
 * @returns a function that returns the first row for a value.
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

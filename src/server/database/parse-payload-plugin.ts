import type { KyselyPlugin, PluginTransformResultArgs, QueryResult, UnknownRow } from 'kysely';

/**
 * Parses the `payload` JSON column of every row that Kysely reads. Code that writes the column must
 * serialize the value.
 */
export const parsePayloadPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({
    result,
  }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> => ({
    ...result,
    rows: result.rows.map(parsePayload),
  }),
};

/** Parses the `payload` of a row, if it has one. */
export function parsePayload<Row extends { readonly payload?: unknown }>(row: Row): Row {
  return typeof row.payload === 'string'
    ? { ...row, payload: JSON.parse(row.payload) as unknown }
    : row;
}

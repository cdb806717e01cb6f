import type { KyselyPlugin, PluginTransformResultArgs, QueryResult, UnknownRow } from 'kysely';

/**
 * Parses the JSON column `payload` of every row that is read. Code that writes the column must
 * serialize it.
 */
export const parsePayloadPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({
    result,
  }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> => ({
    ...result,
    rows: result.rows.map((row) =>
      typeof row.payload === 'string'
        ? { ...row, payload: JSON.parse(row.payload) as unknown }
        : row,
    ),
  }),
};

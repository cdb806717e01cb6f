import type { KyselyPlugin, PluginTransformResultArgs, QueryResult, UnknownRow } from 'kysely';

/**
 * Parses the column `payload`, which holds JSON, in every row that is read. Rows are written with
 * the text.
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

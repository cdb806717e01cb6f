import type { KyselyPlugin } from 'kysely';
import { toIntegerGiftId } from '../lib/to-integer-gift-id.ts';

/** Parses every row that Kysely reads. Code that writes a `payload` must serialize it. */
export const parseRowPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(parseRow) }),
};

/** Parses a row's JSON `payload`, and merges the columns with the platform's gift ID. */
export function parseRow<Row extends object>(row: Row): Row {
  const {
    payload,
    platform_gift_id: integerId,
    platform_gift_id_text: textId,
    ...rest
  } = row as Readonly<Record<string, unknown>>;
  return {
    ...rest,
    ...(payload !== undefined && {
      payload: typeof payload === 'string' ? (JSON.parse(payload) as unknown) : payload,
    }),
    ...(integerId !== undefined && {
      platform_gift_id: textId ?? (integerId === null ? null : `${integerId as number}`),
    }),
  } as Row;
}

/**
 * Splits a gift ID into its columns. Integers stay in the column that was there before text IDs, so
 * that the previous release can read them.
 */
export function toGiftIdColumns(id: string | null): {
  readonly platform_gift_id: number | null;
  readonly platform_gift_id_text: string | null;
} {
  const integerId = toIntegerGiftId(id);
  return { platform_gift_id: integerId, platform_gift_id_text: integerId === null ? id : null };
}

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The pinned source of Virtuous's own client, as NOTICE describes. */
export const SOURCE = gunzipSync(readFileSync(new URL('create.ts.gz', import.meta.url))).toString();

/**
 * The body of `POST /api/v2/Gift/Transaction` in that source. Each value names its type, such as
 * `<string>`; the names of custom fields are examples.
 */
export const GIFT_TRANSACTION = JSON.parse(/default: `(\{[^`]*\})`/.exec(SOURCE)![1]!) as Readonly<
  Record<string, unknown>
>;

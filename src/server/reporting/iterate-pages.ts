import { setImmediate } from 'node:timers/promises';

/**
 * Yields a sorted list in pages. Lets other work run after each query, because SQLite queries block
 * the event loop.
 * @param fetchPage returns at most `limit` rows after `last`, which is undefined for the first page.
 *   A page with fewer rows ends the list.
 * @param firstSize limit of the first page, for readers that may need only a few rows.
 */
export async function* iterateDatabasePages<Row>(
  fetchPage: (last: Row | undefined, limit: number) => Promise<readonly Row[]>,
  size: number,
  firstSize = size,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  for (let limit = firstSize; ; limit = size) {
    const rows = await fetchPage(last, limit);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
    await setImmediate();
  }
}

import { setImmediate } from 'node:timers/promises';

/** SQLite queries block the event loop, so lets other work run after each query. */
export async function* iteratePages<Row>(
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

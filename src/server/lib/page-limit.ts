/** Maximum number of pages that the server reads of another server's list. */
export const MAX_PAGES = 10_000;

/** Limit for a library that pages through a list: {@link MAX_PAGES} with 100 records each. */
export const MAX_RECORDS = 1_000_000;

/** The list may be endless. */
export class PageLimitError extends Error {
  override readonly name = 'PageLimitError';
}

/** @param list the list's name, such as `GET /payments`. */
export function createTooManyPagesError(list: string, maxPages: number): PageLimitError {
  return new PageLimitError(
    `${list} has more than ${maxPages} pages, so the server stopped reading it. Choose a shorter period.`,
  );
}

/**
 * @param list the list's name in the error, such as `the list of charges`.
 * @throws {PageLimitError} if the list has more than `maxRecords` records.
 */
export async function* iterateWithLimit<Entry>(
  list: string,
  records: AsyncIterable<Entry>,
  maxRecords = MAX_RECORDS,
): AsyncGenerator<Entry> {
  let count = 0;
  for await (const record of records) {
    if (count === maxRecords)
      throw new PageLimitError(
        `${list} has more than ${maxRecords} records, so the server stopped reading it. Choose a shorter period.`,
      );
    count += 1;
    yield record;
  }
}

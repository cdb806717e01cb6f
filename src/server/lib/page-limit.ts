/** Maximum number of pages of a list that another server returns. */
export const MAX_PAGES = 10_000;

/** Maximum number of records of such a list, if only its records are visible: 100 per page. */
export const MAX_RECORDS = 1_000_000;

/** A list that another server returns is longer than the limit; it may be endless. */
export class PageLimitError extends Error {
  override readonly name = 'PageLimitError';
}

/** Creates the error for a list with too many pages. @param list such as `GET /payments`. */
export function createPageLimitError(list: string, maxPages: number): PageLimitError {
  return new PageLimitError(
    `${list} has more than ${maxPages} pages, so reading it was stopped. Choose a shorter period.`,
  );
}

/**
 * Yields the records of a list.
 * @param list its name in errors, such as `the list of charges`.
 * @throws {PageLimitError} if there are more than `maxRecords`.
 */
export async function* limitRecords<Entry>(
  list: string,
  records: AsyncIterable<Entry>,
  maxRecords = MAX_RECORDS,
): AsyncGenerator<Entry> {
  let count = 0;
  for await (const record of records) {
    if (count === maxRecords)
      throw new PageLimitError(
        `${list} has more than ${maxRecords} records, so reading it was stopped. Choose a shorter period.`,
      );
    count += 1;
    yield record;
  }
}

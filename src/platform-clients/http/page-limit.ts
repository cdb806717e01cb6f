export const DEFAULT_MAX_PAGES = 10_000;

/** A list has more pages than the limit allows. It might be endless. */
export class PageLimitError extends Error {
  override readonly name = 'PageLimitError';
}

/** @throws {RangeError} if the limit is not an integer of at least 1. */
export function assertValidMaxPages(maxPages: number): void {
  if (!Number.isSafeInteger(maxPages) || maxPages < 1)
    throw new RangeError(`maxPages is ${maxPages}; expected an integer of 1 or more.`);
}

/** @param list call that returns the pages, such as `GET /v1/donors`. */
export function createPageLimitError(list: string, maxPages: number): PageLimitError {
  return new PageLimitError(
    `${list} has more than ${maxPages} pages. Narrow the request, or raise maxPages.`,
  );
}

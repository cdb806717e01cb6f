import {
  DEFAULT_MAX_PAGES,
  assertValidMaxPages,
  createPageLimitError,
} from '../http/page-limit.ts';
import type { ApiResponse, Page, UntypedRecord } from './wire.ts';

/** Range of pages that an iterator fetches. */
export interface PageRange {
  /** Number of records to skip; 0 by default. */
  readonly skip?: number;
  /** Number of records per call; 100 by default. The specification recommends 20, 50, or 100. */
  readonly take?: number;
  /**
   * Maximum number of pages; 10,000 by default. If the list has more pages, the iterator throws a
   * `PageLimitError`.
   */
  readonly maxPages?: number;
}

/**
 * Checks that a page range is valid.
 * @throws {RangeError} if `skip` or `take` is not an integer of at least 0.
 */
export function assertValidPageRange({
  skip,
  take,
}: {
  readonly skip: number;
  readonly take: number;
}): void {
  for (const [name, value] of Object.entries({ skip, take })) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`${name} is ${value}; expected an integer of 0 or more.`);
  }
}

/**
 * Yields a list's pages until a page is empty. A short page does not end the list, because the
 * platform can return fewer records than requested.
 * @param name name of the call for error messages, such as `GET /api/campaign/list`.
 * @throws {RangeError} if `take` is 0, or `maxPages` is not an integer of at least 1.
 * @throws {PageLimitError} if the list has more than `maxPages` pages.
 */
export async function* iteratePages<Request>(
  name: string,
  fetchPage: (
    request: Request & { readonly skip: number; readonly take: number },
  ) => Promise<ApiResponse<Page>>,
  {
    skip: firstRecord = 0,
    take = 100,
    maxPages = DEFAULT_MAX_PAGES,
    ...request
  }: Omit<Request, keyof PageRange> & PageRange,
): AsyncGenerator<ApiResponse<Page>> {
  if (take === 0) throw new RangeError('take is 0; an iterator needs at least 1 record per page.');
  assertValidMaxPages(maxPages);
  let skip = firstRecord;
  for (let pages = 0; ; pages += 1) {
    const response = await fetchPage({ ...request, skip, take } as Request & {
      readonly skip: number;
      readonly take: number;
    });
    const { length } = response.body.items;
    if (length === 0) return;
    if (pages === maxPages) throw createPageLimitError(name, maxPages);
    yield response;
    skip += length;
  }
}

/** Yields the records of all pages. */
export async function* iterateRecords(
  pages: AsyncIterable<ApiResponse<Page>>,
): AsyncGenerator<UntypedRecord> {
  for await (const { body } of pages) yield* body.items;
}

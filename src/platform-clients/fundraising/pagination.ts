import {
  assertValidMaxPages,
  createPageLimitError,
  DEFAULT_MAX_PAGES,
} from '../http/page-limit.ts';
import type { ApiResponse, Page, Paging, UntypedRecord } from './wire.ts';

/** Range of pages that an iterator fetches. */
export interface PageRange {
  /** 0 by default. */
  readonly skip?: number;
  /** Records per call; 100 by default. The specification recommends 20, 50, or 100. */
  readonly take?: number;
  /** 10,000 by default. Beyond it, the iterator throws a `PageLimitError`. */
  readonly maxPages?: number;
}

/** A list request for an iterator. */
export type PagesOf<Request> = Omit<Request, keyof PageRange> & PageRange;

type Range = Pick<Paging, 'skip' | 'take'>;

/** @throws {RangeError} if `skip` or `take` is not an integer of at least 0. */
export function assertValidPageRange({ skip, take }: Range): void {
  for (const [name, value] of Object.entries({ skip, take })) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`${name} is ${value}; expected an integer of 0 or more.`);
  }
}

/**
 * Ends with an empty page, because a short page may not be the last.
 * @param name name of the call for error messages, such as `GET /api/campaign/list`.
 * @throws {RangeError} if `take` is 0, or `maxPages` is not an integer of at least 1.
 * @throws {PageLimitError} if the list has more than `maxPages` pages.
 */
export async function* iteratePages<Request>(
  name: string,
  fetchPage: (request: Request & Range) => Promise<ApiResponse<Page>>,
  { skip: firstRecord = 0, take = 100, maxPages = DEFAULT_MAX_PAGES, ...request }: PagesOf<Request>,
): AsyncGenerator<ApiResponse<Page>> {
  if (take === 0) throw new RangeError('take is 0; an iterator needs at least 1 record per page.');
  assertValidMaxPages(maxPages);
  let skip = firstRecord;
  for (let pages = 0; ; pages += 1) {
    const response = await fetchPage({ ...request, skip, take } as Request & Range);
    const { length } = response.body.items;
    if (length === 0) return;
    if (pages === maxPages) throw createPageLimitError(name, maxPages);
    yield response;
    skip += length;
  }
}

export async function* iterateRecords(
  pages: AsyncIterable<ApiResponse<Page>>,
): AsyncGenerator<UntypedRecord> {
  for await (const { body } of pages) yield* body.items;
}

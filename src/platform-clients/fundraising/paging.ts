import type { Answer, OpenRecord, Page } from './wire.ts';

/**
 * Where a walk through a list begins, and how many records each call fetches: 20, 50 or 100 are
 * recommended.
 */
export interface Walk {
  readonly skip?: number;
  readonly take?: number;
}

/** @throws {RangeError} where skip or take is no whole number from 0. */
export function checkPaging({
  skip,
  take,
}: {
  readonly skip: number;
  readonly take: number;
}): void {
  for (const [name, value] of Object.entries({ skip, take })) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`${name} is ${value}; expected a whole number, 0 or more.`);
  }
}

/**
 * Walks through a list, a page after the other, until one is empty: a platform may return fewer
 * records than it was asked for.
 * One page at a time is held. @throws {RangeError} where take is 0.
 */
export async function* pagesOf<Request extends Walk>(
  list: (
    request: Request & { readonly skip: number; readonly take: number },
  ) => Promise<Answer<Page>>,
  request: Request,
): AsyncGenerator<Answer<Page>> {
  const { take = 100 } = request;
  if (take === 0) throw new RangeError('take is 0; a walk expects 1 or more records a page.');
  for (let skip = request.skip ?? 0; ;) {
    const answer = await list({ ...request, skip, take });
    const { length } = answer.body.items;
    if (length === 0) return;
    yield answer;
    skip += length;
  }
}

/** The records of a walk, one by one. */
export async function* recordsOf(pages: AsyncIterable<Answer<Page>>): AsyncGenerator<OpenRecord> {
  for await (const {
    body: { items },
  } of pages)
    yield* items;
}

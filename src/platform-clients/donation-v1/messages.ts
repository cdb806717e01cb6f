import { readJson, textIn } from '../http/call.ts';
import { dayOf } from './dates.ts';
import type { DonationListRequest, Pagination, RateLimit } from './wire.ts';

/** The most records of a page; the platform enforces it. */
export const LARGEST_PAGE = 200;
const LONGEST_WAIT = 86_400;

/** The query of a list. @throws {RangeError} where a parameter is none of the documented values. */
export function queryOf({
  page,
  pageSize,
  createdAfter,
  createdBefore,
  modifiedOnOrAfter,
  ...others
}: DonationListRequest): string {
  const whole = (name: string, value: number | undefined, most: number): number | undefined => {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1 && value <= most))
      throw new RangeError(
        `${name} is ${value}; expected a whole number from 1${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}.`,
      );
    return value;
  };
  const day = (value: Date | string | undefined): string | undefined =>
    value === undefined ? undefined : dayOf(value);
  const parameters = {
    page: whole('page', page, Number.MAX_SAFE_INTEGER),
    pageSize: whole('pageSize', pageSize, LARGEST_PAGE),
    createdAfter: day(createdAfter),
    createdBefore: day(createdBefore),
    modifiedOnOrAfter: day(modifiedOnOrAfter),
    ...others,
  };
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

/**
 * What a throttled request was answered. Its status is not shown, but that its body has `message`
 * and `details`, which say how many seconds to wait; 429 says it in any case.
 */
export function readThrottle(
  { status, headers }: Response,
  body: unknown,
):
  | {
      readonly message: string;
      readonly details: string | undefined;
      readonly seconds: number | undefined;
    }
  | undefined {
  const message = textIn(body, 'message');
  const details = textIn(body, 'details');
  const inDetails = [...(details?.matchAll(/(\d+)\s*seconds?/gi) ?? [])].at(-1)?.[1];
  const written = headers.get('Retry-After') ?? inDetails;
  if (status !== 429 && (message === undefined || inDetails === undefined)) return undefined;
  return {
    message: message ?? 'the platform throttles',
    details,
    seconds:
      written !== undefined && /^\d{1,9}$/.test(written)
        ? Math.min(Math.max(Number(written), 1), LONGEST_WAIT)
        : undefined,
  };
}

/**
 * Whether an answer came that no HTTP parser here reads: a throttled one has a header named 'Retry
 * After', with a space.
 */
export function isUnreadableHeader(error: unknown): boolean {
  const { cause } = error as { readonly cause?: unknown };
  return (
    cause instanceof Error && cause.name === 'HTTPParserError' && /header/i.test(cause.message)
  );
}

/** The header x-pagination: Donation Platform API v1, 'Endpoints', rule 2. */
export function readPagination(headers: Headers): Pagination | undefined {
  const given = readJson(headers.get('x-pagination') ?? '') as
    Readonly<Record<string, unknown>> | null | undefined;
  if (typeof given !== 'object' || given === null) return undefined;
  const { totalCount, totalPages } = given;
  if (!Number.isSafeInteger(totalCount) || !Number.isSafeInteger(totalPages)) return undefined;
  const prevPageLink = textIn(given, 'prevPageLink');
  const nextPageLink = textIn(given, 'nextPageLink');
  return {
    totalCount: totalCount as number,
    totalPages: totalPages as number,
    ...(prevPageLink && { prevPageLink }),
    ...(nextPageLink && { nextPageLink }),
  };
}

export function readRateLimit(headers: Headers): RateLimit {
  const period = headers.get('X-Rate-Limit-Limit');
  const remaining = headers.get('X-Rate-Limit-Remaining') ?? '';
  const resetsAt = new Date(headers.get('X-Rate-Limit-Reset') ?? '');
  return {
    ...(period !== null && { period }),
    ...(/^\d{1,9}$/.test(remaining) && { remaining: Number(remaining) }),
    ...(!Number.isNaN(resetsAt.getTime()) && { resetsAt }),
  };
}

import { getStringProperty, parseJsonOrUndefined } from '../http/call.ts';
import { formatDay } from './dates.ts';
import type { Day, DonationListRequest, Pagination, RateLimit } from './wire.ts';

/** Maximum number of records per page, which the platform enforces. */
export const MAX_PAGE_SIZE = 200;
/** Maximum wait that a response can request, in seconds: the longest rate limit window. */
const MAX_RETRY_AFTER = 86_400;

/** @throws {RangeError} if a parameter has an invalid value. */
export function toQueryString({
  page,
  pageSize,
  createdAfter,
  createdBefore,
  modifiedOnOrAfter,
  ...others
}: DonationListRequest): string {
  const parameters = {
    page: requireInteger('page', page),
    pageSize: requireInteger('pageSize', pageSize, MAX_PAGE_SIZE),
    createdAfter: formatOptionalDay(createdAfter),
    createdBefore: formatOptionalDay(createdBefore),
    modifiedOnOrAfter: formatOptionalDay(modifiedOnOrAfter),
    ...others,
  };
  const defined = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return defined.length > 0 ? `?${new URLSearchParams(defined)}` : '';
}

function formatOptionalDay(day: Day | undefined): string | undefined {
  return day === undefined ? undefined : formatDay(day);
}

function requireInteger(name: string, value: number | undefined, max?: number): number | undefined {
  if (
    value !== undefined &&
    !(Number.isSafeInteger(value) && value >= 1 && value <= (max ?? Infinity))
  )
    throw new RangeError(
      `${name} is ${value}; expected an integer ${max === undefined ? 'of 1 or more' : `from 1 to ${max}`}.`,
    );
  return value;
}

/**
 * Throttled responses have status 429, or undocumented statuses and a number of seconds in
 * `details`.
 */
export function parseThrottle({ status, headers }: Response, body: unknown) {
  const message = getStringProperty(body, 'message');
  const details = getStringProperty(body, 'details');
  const secondsInDetails = [...(details?.matchAll(/(?<!\d)(\d{1,9})\s{0,9}seconds?/gi) ?? [])].at(
    -1,
  )?.[1];
  if (status !== 429 && (message === undefined || secondsInDetails === undefined)) return undefined;
  const seconds = headers.get('Retry-After') ?? secondsInDetails;
  return {
    message: message ?? 'the platform is throttling requests',
    details,
    seconds:
      seconds !== undefined && /^\d{1,9}$/.test(seconds)
        ? Math.min(Math.max(Number(seconds), 1), MAX_RETRY_AFTER)
        : undefined,
  };
}

/**
 * True for a header named `Retry After`, with a space, which Node's HTTP parser rejects. If it
 * follows `Content-Length` and the connection closes, Node reports a missing body.
 */
export function isUnreadableHeaderError(error: unknown): boolean {
  const { cause } = error as { readonly cause?: unknown };
  if (!(cause instanceof Error)) return false;
  return (
    (cause.name === 'HTTPParserError' && /header/i.test(cause.message)) ||
    cause.name === 'ResponseContentLengthMismatchError'
  );
}

/**
 * Returns `undefined` if `x-pagination` is missing or invalid (Donation Platform API v1,
 * "Endpoints").
 */
export function parsePagination(headers: Headers): Pagination | undefined {
  const header = parseJsonOrUndefined(headers.get('x-pagination') ?? '') as
    Readonly<Record<string, unknown>> | null | undefined;
  if (typeof header !== 'object' || header === null) return undefined;
  const { totalCount, totalPages } = header;
  if (!Number.isSafeInteger(totalCount) || !Number.isSafeInteger(totalPages)) return undefined;
  const prevPageLink = getStringProperty(header, 'prevPageLink');
  const nextPageLink = getStringProperty(header, 'nextPageLink');
  return {
    totalCount: totalCount as number,
    totalPages: totalPages as number,
    ...(prevPageLink && { prevPageLink }),
    ...(nextPageLink && { nextPageLink }),
  };
}

/** Parses the `X-Rate-Limit-…` headers. Omits headers that are missing or invalid. */
export function parseRateLimit(headers: Headers): RateLimit {
  const period = headers.get('X-Rate-Limit-Limit');
  const remaining = headers.get('X-Rate-Limit-Remaining') ?? '';
  const resetsAt = new Date(headers.get('X-Rate-Limit-Reset') ?? '');
  return {
    ...(period !== null && { period }),
    ...(/^\d{1,9}$/.test(remaining) && { remaining: Number(remaining) }),
    ...(!Number.isNaN(resetsAt.getTime()) && { resetsAt }),
  };
}

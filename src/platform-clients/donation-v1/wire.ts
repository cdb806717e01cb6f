/** A day: `yyyy-mm-dd`, or a `Date`, whose UTC day is used. */
export type Day = Date | string;

/** Query parameters of a list (Donation Platform API v1, "Optional query parameters"). */
export interface ListRequest {
  /** Page number; 1 for the first page. */
  readonly page?: number;
  /** Records per page, 1 to 200; 20 by default. */
  readonly pageSize?: number;
  /** Includes only records created on or after this day. */
  readonly createdAfter?: Day;
  /** Includes only records created on or before this day. */
  readonly createdBefore?: Day;
  /** Includes only records modified on or after this day. */
  readonly modifiedOnOrAfter?: Day;
  /** Includes test transactions; false by default. */
  readonly includeTestTransactions?: boolean;
  /** Includes nested data such as a donor's addresses; false by default. */
  readonly includeDetails?: boolean;
  readonly searchString?: string;
  readonly code?: string;
  readonly isActiveOnly?: boolean;
}

/** Query parameters of `GET /v1/donations` (Donation Platform API v1, "Endpoints"). */
export interface DonationListRequest extends ListRequest {
  readonly isDeleted?: boolean;
}

/** Options of an iterator. */
export interface PageLimit {
  /** Number of pages after which the iterator throws a `PageLimitError`; 10,000 by default. */
  readonly maxPages?: number;
}

/** A record. The specification does not document its fields. */
export type UntypedRecord = Readonly<Record<string, unknown>>;

/** Value of the `x-pagination` header. */
export interface Pagination {
  readonly totalCount: number;
  readonly totalPages: number;
  /** Absent on the first page. */
  readonly prevPageLink?: string;
  /** Absent on the last page. */
  readonly nextPageLink?: string;
}

/**
 * Values of the `X-Rate-Limit-…` headers. A property is absent if its header is missing or invalid.
 */
export interface RateLimit {
  /** Period of the limit: `1m`, `1h`, or `1d`. */
  readonly period?: string;
  readonly remaining?: number;
  readonly resetsAt?: Date;
}

/** A response's body and rate limit state. */
export interface ApiResponse<Body> {
  readonly body: Body;
  readonly rateLimit: RateLimit;
}

/** One page of a list. */
export interface PageResponse extends ApiResponse<readonly UntypedRecord[]> {
  /** Absent if the `x-pagination` header is missing or invalid. */
  readonly pagination?: Pagination;
}

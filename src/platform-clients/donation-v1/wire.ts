/** A day: a `yyyy-mm-dd` string, or a `Date`, whose UTC day the client uses. */
export type Day = Date | string;

/** Query parameters of a list request (Donation Platform API v1, "Optional query parameters"). */
export interface ListRequest {
  /** 1 for the first page. */
  readonly page?: number;
  /** Number of records per page, from 1 to 200; 20 by default. */
  readonly pageSize?: number;
  /** First creation day, inclusive. */
  readonly createdAfter?: Day;
  /** Last creation day, inclusive. */
  readonly createdBefore?: Day;
  /** First modification day, inclusive. */
  readonly modifiedOnOrAfter?: Day;
  /** False by default. */
  readonly includeTestTransactions?: boolean;
  /** True to include nested data such as addresses; false by default. */
  readonly includeDetails?: boolean;
  readonly searchString?: string;
  readonly code?: string;
  readonly isActiveOnly?: boolean;
}

/** Query parameters of `GET /v1/donations` (Donation Platform API v1, "Endpoints"). */
export interface DonationListRequest extends ListRequest {
  readonly isDeleted?: boolean;
}

/** Options of the methods that iterate over pages. */
export interface PageLimit {
  /** 10,000 by default. Beyond it, the iterator throws a `PageLimitError`. */
  readonly maxPages?: number;
}

/** A record. The specification does not document its fields. */
export type UntypedRecord = Readonly<Record<string, unknown>>;

/** Parsed value of the `x-pagination` header. */
export interface Pagination {
  readonly totalCount: number;
  readonly totalPages: number;
  /** Absent on the first page. */
  readonly prevPageLink?: string;
  /** Absent on the last page. */
  readonly nextPageLink?: string;
}

/** Values of the `X-Rate-Limit-…` headers that are present and valid. */
export interface RateLimit {
  /** Period to which the limit applies: `1m`, `1h`, or `1d`. */
  readonly period?: string;
  readonly remaining?: number;
  readonly resetsAt?: Date;
}

/** Body of a response, and the rate limit state from its headers. */
export interface ApiResponse<Body> {
  readonly body: Body;
  readonly rateLimit: RateLimit;
}

/** One page of a list. */
export interface PageResponse extends ApiResponse<readonly UntypedRecord[]> {
  /** Absent if the `x-pagination` header is missing or invalid. */
  readonly pagination?: Pagination;
}

/** A day: `yyyy-mm-dd`, or a date whose UTC day is meant. */
export type Day = Date | string;

/** Donation Platform API v1, 'Optional query parameters'. */
export interface ListRequest {
  /** From 1. */
  readonly page?: number;
  /** 1 to 200; the platform's default is 20. */
  readonly pageSize?: number;
  /** Objects that were created on this day or later. */
  readonly createdAfter?: Day;
  /** Objects that were created on this day or earlier. */
  readonly createdBefore?: Day;
  readonly modifiedOnOrAfter?: Day;
  /** Test transactions too; false where absent. */
  readonly includeTestTransactions?: boolean;
  /** Nested data too, such as a donor's addresses; false where absent. */
  readonly includeDetails?: boolean;
  readonly searchString?: string;
  readonly code?: string;
  readonly isActiveOnly?: boolean;
}

/** What donations are searched by: Donation Platform API v1, 'Endpoints'. */
export interface DonationListRequest extends ListRequest {
  readonly isDeleted?: boolean;
}

/** A record whose fields the specification does not show. */
export type OpenRecord = Readonly<Record<string, unknown>>;

/** The header x-pagination. */
export interface Pagination {
  readonly totalCount: number;
  readonly totalPages: number;
  /** Absent on the first page. */
  readonly prevPageLink?: string;
  /** Absent on the last page. */
  readonly nextPageLink?: string;
}

/** The headers X-Rate-Limit-…; each absent where the answer has it not, or not readable. */
export interface RateLimit {
  /** The period that the others speak of: 1m, 1h or 1d. */
  readonly period?: string;
  readonly remaining?: number;
  readonly resetsAt?: Date;
}

/** What the platform answered, with its limits. */
export interface Answer<Body> {
  readonly body: Body;
  readonly rateLimit: RateLimit;
}

/** One page of a list. */
export interface PageAnswer extends Answer<readonly OpenRecord[]> {
  /** Absent where the header is, or is no such JSON. */
  readonly pagination?: Pagination;
}

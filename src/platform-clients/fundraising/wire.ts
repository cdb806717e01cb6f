import type { ActivityOrigin } from './enumerations.ts';

/** Paging and filter parameters (Fundraising Platform API, "Paging and sorting parameters"). */
export interface Paging {
  /** Number of records to skip; 0 for the first page. */
  readonly skip: number;
  /**
   * Maximum number of records to return; 0 returns none. The specification recommends 20, 50, or
   * 100.
   */
  readonly take: number;
  /**
   * Free-text filter. The matching rules depend on the list (Fundraising Platform API, "Free-text
   * filter rules").
   */
  readonly filter?: string;
}

/** Fields by which the platform can sort campaigns. */
export type CampaignSortField =
  'id' | 'name' | 'startDate' | 'endDate' | 'givingGoal' | 'avgGiftGoal';

/** Query parameters of `GET /api/campaign/list` (Fundraising Platform API, "Endpoints"). */
export interface CampaignListRequest extends Paging {
  readonly sortBy?: CampaignSortField;
  readonly descending?: boolean;
}

/** Body of `POST /api/activity/list` (Fundraising Platform API, "Endpoints"). */
export interface ActivityListRequest extends Paging {
  readonly selectedActivityOrigins?: readonly ActivityOrigin[];
}

/** A record. The specification does not document its fields. */
export type UntypedRecord = Readonly<Record<string, unknown>>;

/** One page of a list. The specification documents only `items`. */
export interface Page {
  readonly items: readonly UntypedRecord[];
  /** Total number of records on all pages, which live platforms send. */
  readonly total?: unknown;
}

/**
 * State of the hourly limit, from the response headers (Fundraising Platform API, "Limits"). A
 * property is absent if its header is missing or not a number.
 */
export interface RateLimit {
  /** Calls per hour. */
  readonly limit?: number;
  /** Number of calls that the client can still make in this hour. */
  readonly remaining?: number;
  /** Start of the next hour, when the platform resets the limit. */
  readonly resetsAt?: Date;
}

/** Body of a response, and the rate limit state from its headers. */
export interface ApiResponse<Body> {
  readonly body: Body;
  readonly rateLimit: RateLimit;
}

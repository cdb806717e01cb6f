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
   * Free-text filter. Its matching rules depend on the list (Fundraising Platform API, "Free-text
   * filter rules").
   */
  readonly filter?: string;
}

/** Fields by which campaigns can be sorted. */
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
  /** Number of records on all pages, as live platforms send it. */
  readonly total?: unknown;
}

/**
 * State of the hourly limit, from the response headers (Fundraising Platform API, "Limits"). A
 * property is absent if its header is missing or not a number.
 */
export interface RateLimit {
  /** Calls per hour. */
  readonly limit?: number;
  /** Number of calls still allowed in this hour. */
  readonly remaining?: number;
  /** Start of the next hour. */
  readonly resetsAt?: Date;
}

/** A response's body and rate limit state. */
export interface ApiResponse<Body> {
  readonly body: Body;
  readonly rateLimit: RateLimit;
}

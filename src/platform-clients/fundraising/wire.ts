import type { ActivityOrigin } from './enumerations.ts';

/** Fundraising Platform API, "Paging and sorting parameters". */
export interface Paging {
  /** Number of records to skip; 0 for the first page. */
  readonly skip: number;
  /** Maximum number of records to return; 0 returns none. 20, 50, or 100 are recommended. */
  readonly take: number;
  /** Free text. How it matches depends on the list (specification, "Free-text filter rules"). */
  readonly filter?: string;
}

/** The fields that campaigns can be sorted by. */
export type CampaignSortField =
  'id' | 'name' | 'startDate' | 'endDate' | 'givingGoal' | 'avgGiftGoal';

/** The query string of `GET /api/campaign/list` (Fundraising Platform API, "Endpoints"). */
export interface CampaignListRequest extends Paging {
  readonly sortBy?: CampaignSortField;
  readonly descending?: boolean;
}

/** The body of `POST /api/activity/list` (Fundraising Platform API, "Endpoints"). */
export interface ActivityListRequest extends Paging {
  readonly selectedActivityOrigins?: readonly ActivityOrigin[];
}

/** A record; the specification does not show its fields. */
export type UntypedRecord = Readonly<Record<string, unknown>>;

/** One page of a list. The specification documents only `items`. */
export interface Page {
  readonly items: readonly UntypedRecord[];
}

/**
 * State of the hourly limit, from the response's headers (Fundraising Platform API, "Limits"). A
 * property is absent if its header is missing or not a number.
 */
export interface RateLimit {
  /** Calls per hour. */
  readonly limit?: number;
  /** Remaining calls in this hour. */
  readonly remaining?: number;
  /** Start of the next hour. */
  readonly resetsAt?: Date;
}

/** A response's body, and the state of the hourly limit. */
export interface ApiResponse<Body> {
  readonly body: Body;
  readonly rateLimit: RateLimit;
}

import type { ActivityOrigin } from './enumerations.ts';

/** Fundraising Platform API, 'Paging and sorting parameters'. */
export interface Paging {
  /** Records to skip; 0 is the first page. */
  readonly skip: number;
  /** Records to return at most; 0 returns none. 20, 50 or 100 are recommended. */
  readonly take: number;
  /** Free text; what it matches depends on the list: 'Free-text filter rules'. */
  readonly filter?: string;
}

/** The fields by which campaigns can be sorted. */
export type CampaignSortField =
  'id' | 'name' | 'startDate' | 'endDate' | 'givingGoal' | 'avgGiftGoal';

/** The query of `GET /api/campaign/list`: Fundraising Platform API, 'Endpoints'. */
export interface CampaignListRequest extends Paging {
  readonly sortBy?: CampaignSortField;
  readonly descending?: boolean;
}

/** The body of `POST /api/activity/list`: Fundraising Platform API, 'Endpoints'. */
export interface ActivityListRequest extends Paging {
  readonly selectedActivityOrigins?: readonly ActivityOrigin[];
}

/** A record whose fields the specification does not show. */
export type OpenRecord = Readonly<Record<string, unknown>>;

/** One page of a list. Nothing beside `items` is documented. */
export interface Page {
  readonly items: readonly OpenRecord[];
}

/**
 * Fundraising Platform API, 'Limits': the state of the hourly limit, as the answer's headers tell
 * it. Absent where a header is missing or no number.
 */
export interface RateLimit {
  readonly limit?: number;
  readonly remaining?: number;
  /** When the hour starts anew. */
  readonly resetsAt?: Date;
}

/** What a call returned, and how many calls are left. */
export interface Answer<Body> {
  readonly body: Body;
  readonly rateLimit: RateLimit;
}

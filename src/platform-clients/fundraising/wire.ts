import type { ActivityOrigin } from './enumerations.ts';

/** Paging and filter parameters (Fundraising Platform API, "Paging and sorting parameters"). */
export interface Paging {
  /** 0 for the first page. */
  readonly skip: number;
  /** 0 returns none. The specification recommends 20, 50, or 100. */
  readonly take: number;
  /** Free-text filter, with rules that depend on the list ("Free-text filter rules"). */
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

/** Only `items` is documented. */
export interface Page {
  readonly items: readonly UntypedRecord[];
  /** Records on all pages, which live platforms send. */
  readonly total?: unknown;
}

/** State of the hourly limit, from headers that are present and valid ("Limits"). */
export interface RateLimit {
  /** Calls per hour. */
  readonly limit?: number;
  /** Calls left in this hour. */
  readonly remaining?: number;
  /** Start of the next hour. */
  readonly resetsAt?: Date;
}

/** Body of a response, and the rate limit state from its headers. */
export interface ApiResponse<Body> {
  readonly body: Body;
  readonly rateLimit: RateLimit;
}

import type { Campaign } from './records.ts';

export const CAMPAIGN_PHASES = ['Upcoming', 'Running', 'Ended'] as const;

export type CampaignPhase = (typeof CAMPAIGN_PHASES)[number];

/** Returns a campaign's phase on the UTC day of `now`. */
export function getCampaignPhase(
  { startDate, endDate }: Pick<Campaign, 'startDate' | 'endDate'>,
  now: Date,
): CampaignPhase {
  const today = now.toISOString().slice(0, 10);
  if (today < startDate) return 'Upcoming';
  return today > endDate ? 'Ended' : 'Running';
}

/** Tracking fields and their maximum lengths (Fundraising Platform API, analyticsTracking). */
export const MAX_TRACKING_FIELD_LENGTHS = {
  utmCampaign: 100,
  utmSource: 100,
  utmMedium: 100,
  utmContent: 100,
  utmTerm: 100,
  utmId: 100,
  adClickId: 500,
} as const;
export type TrackingField = keyof typeof MAX_TRACKING_FIELD_LENGTHS;
export const TRACKING_FIELDS = Object.keys(MAX_TRACKING_FIELD_LENGTHS) as TrackingField[];

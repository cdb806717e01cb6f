/**
 * What is known of the way that led a donor here, each with its greatest length: Fundraising
 * Platform API, 'Embedded form settings', analyticsTracking. Click identifiers are long.
 */
export const TRACKING_FIELD_LENGTHS = {
  utmCampaign: 100,
  utmSource: 100,
  utmMedium: 100,
  utmContent: 100,
  utmTerm: 100,
  utmId: 100,
  adClickId: 500,
} as const;
export type TrackingField = keyof typeof TRACKING_FIELD_LENGTHS;
export const TRACKING_FIELDS = Object.keys(TRACKING_FIELD_LENGTHS) as TrackingField[];

/** Donation frequencies, spelled as in form settings and links. */
export const DONATION_FREQUENCIES = [
  'once',
  'weekly',
  'everyOtherWeek',
  'monthly',
  'quarterly',
  'biannual',
  'annually',
] as const;
export type DonationFrequency = (typeof DONATION_FREQUENCIES)[number];

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

/** Platform codes of recurring frequencies (Fundraising Platform API, "Enumerations"). */
export const Frequency = {
  Weekly: 52,
  EveryOtherWeek: 26,
  Monthly: 12,
  Quarterly: 4,
  BiAnnual: 2,
  Annually: 1,
} as const;
export type Frequency = (typeof Frequency)[keyof typeof Frequency];

/** Compares the names without case: the platform writes `BiAnnual`. */
export function toFrequencyCode(frequency: DonationFrequency): Frequency | undefined {
  const names = Object.keys(Frequency) as (keyof typeof Frequency)[];
  const name = names.find((known) => known.toLowerCase() === frequency.toLowerCase());
  return name && Frequency[name];
}

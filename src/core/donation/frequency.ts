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

export function toFrequencyCode(frequency: DonationFrequency): Frequency | undefined {
  const codes: Readonly<Record<DonationFrequency, Frequency | undefined>> = {
    once: undefined,
    weekly: Frequency.Weekly,
    everyOtherWeek: Frequency.EveryOtherWeek,
    monthly: Frequency.Monthly,
    quarterly: Frequency.Quarterly,
    biannual: Frequency.BiAnnual,
    annually: Frequency.Annually,
  };
  return codes[frequency];
}

import type { GiftFrequency } from './frequency.ts';

/**
 * Recurring frequencies with their wire values: Fundraising Platform API, 'Enumerations',
 * Frequency.
 */
export const Frequency = {
  Weekly: 52,
  EveryOtherWeek: 26,
  Monthly: 12,
  Quarterly: 4,
  BiAnnual: 2,
  Annually: 1,
} as const;
export type Frequency = (typeof Frequency)[keyof typeof Frequency];

const values: Readonly<Record<GiftFrequency, Frequency | undefined>> = {
  once: undefined,
  weekly: Frequency.Weekly,
  everyOtherWeek: Frequency.EveryOtherWeek,
  monthly: Frequency.Monthly,
  quarterly: Frequency.Quarterly,
  biannual: Frequency.BiAnnual,
  annually: Frequency.Annually,
};

/** The wire value of a frequency; `undefined` for a one-time gift, which carries none. */
export function frequencyValue(frequency: GiftFrequency): Frequency | undefined {
  return values[frequency];
}

/** How often a gift is given, in the words of forms and links. */
export const GIFT_FREQUENCIES = [
  'once',
  'weekly',
  'everyOtherWeek',
  'monthly',
  'quarterly',
  'biannual',
  'annually',
] as const;
export type GiftFrequency = (typeof GIFT_FREQUENCIES)[number];

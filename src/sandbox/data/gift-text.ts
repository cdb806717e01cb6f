import type { Donor, Gift, Unnumbered } from './records.ts';

/** What an activity says of a gift. */
export function giftText(
  { total, currency, frequency, allocations, reference }: Unnumbered<Gift>,
  { firstName, lastName }: Donor,
): string {
  return `${firstName} ${lastName} gave ${total} ${currency} ${frequency} to ${allocations.map(({ name }) => name).join(', ')} (${reference})`;
}

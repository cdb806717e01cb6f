import type { Donor, Gift, NewRecord } from './records.ts';

/** Formats the display text of a new gift's activity. */
export function formatGiftActivity(
  { total, currency, frequency, allocations, reference }: NewRecord<Gift>,
  { firstName, lastName }: Donor,
): string {
  const projects = allocations.map(({ name }) => name).join(', ');
  return `${firstName} ${lastName} gave ${total} ${currency} ${frequency} to ${projects} (${reference})`;
}

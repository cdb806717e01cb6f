import type { Donor, Gift, NewRecord } from './records.ts';

/** Formats the text that the activity list displays for a new gift. */
export function formatGiftActivity(
  { total, currency, frequency, allocations, reference }: NewRecord<Gift>,
  { firstName, lastName }: Donor,
): string {
  const projects = allocations.map(({ name }) => name).join(', ');
  return `${firstName} ${lastName} gave ${total} ${currency} ${frequency} to ${projects} (${reference})`;
}

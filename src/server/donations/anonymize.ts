import type { DonationPayload } from '../database/schema.ts';

/**
 * A donation without anything that says of whom it is: its sums, its parts, its frequency and its
 * segment, for the books.
 */
export function anonymize({
  gift: { amount, currency, frequency, coverCosts, costs, total, segment, projects: parts },
  form: { id, language },
  payment,
  organization,
  receipts,
  instructions,
  decimals,
  isTest,
  projects,
}: DonationPayload): DonationPayload {
  return {
    gift: { amount, currency, frequency, coverCosts, costs, total, segment, projects: parts },
    donor: {},
    form: { id, language },
    payment,
    organization,
    receipts,
    instructions,
    decimals,
    isTest,
    projects,
  };
}

/**
 * A gift without the address of who is told of it, which its donor may still repeat with the
 * address.
 */
export function withoutNotification({
  tribute,
  ...gift
}: DonationPayload['gift']): DonationPayload['gift'] {
  return { ...gift, ...(tribute && { tribute: { ...tribute, notifyEmail: undefined } }) };
}

import type { DonationPayload } from '../database/schema.ts';

/** Removes personal data. Keeps the amounts, projects, frequency, and segment for accounting. */
export function anonymizePayload({
  gift: { amount, currency, frequency, coverCosts, coveredFees, total, segment, projects: parts },
  form: { id, language },
  payment,
  organization,
  receiptSender,
  instructions,
  decimals,
  isTest,
  projects,
}: DonationPayload): DonationPayload {
  return {
    gift: { amount, currency, frequency, coverCosts, coveredFees, total, segment, projects: parts },
    donor: {},
    form: { id, language },
    payment,
    organization,
    receiptSender,
    instructions,
    decimals,
    isTest,
    projects,
  };
}

/** Removes the email address that a tribute notification would be sent to. */
export function removeNotifyEmail({
  tribute,
  ...gift
}: DonationPayload['gift']): DonationPayload['gift'] {
  return { ...gift, ...(tribute && { tribute: { ...tribute, notifyEmail: undefined } }) };
}

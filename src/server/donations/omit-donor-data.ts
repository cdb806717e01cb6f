import type { DonationPayload } from '../database/schema.ts';

/** Keeps the amounts, projects, frequency, and segment for accounting. */
export function omitDonorData({
  gift: { amount, currency, frequency, coverCosts, coveredFees, total, segment, projects: parts },
  form: { id, language },
  payment,
  organization,
  receiptSender,
  instructions,
  decimals,
  isTest,
  projects,
  feeProject,
}: DonationPayload): DonationPayload {
  return {
    gift: { amount, currency, frequency, coverCosts, coveredFees, total, segment, projects: parts },
    donor: {},
    customFields: undefined,
    consents: undefined,
    tracking: undefined,
    form: { id, language },
    payment,
    organization,
    receiptSender,
    instructions,
    decimals,
    isTest,
    projects,
    feeProject,
  } satisfies Record<keyof DonationPayload, unknown>;
}

export function omitNotifyEmail({
  tribute,
  ...gift
}: DonationPayload['gift']): DonationPayload['gift'] {
  return { ...gift, ...(tribute && { tribute: { ...tribute, notifyEmail: undefined } }) };
}

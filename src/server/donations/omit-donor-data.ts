import type { DonationPayload } from '../database/schema.ts';

/** Keeps the amounts, projects, frequency, and segment for accounting. */
export function omitDonorData(donated: DonationPayload): DonationPayload {
  const { amount, currency, frequency, coverCosts, coveredFees, total } = donated.gift;
  const { segment, projects: parts } = donated.gift;
  const { id, language } = donated.form;
  const { payment, organization, receiptSender, instructions, decimals, isTest } = donated;
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
    projects: donated.projects,
    feeProject: donated.feeProject,
  } satisfies Record<keyof DonationPayload, unknown>;
}

export function omitNotifyEmail({
  tribute,
  ...gift
}: DonationPayload['gift']): DonationPayload['gift'] {
  return { ...gift, ...(tribute && { tribute: { ...tribute, notifyEmail: undefined } }) };
}

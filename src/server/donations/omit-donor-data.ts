import type { DonationPayload } from '../database/schema.ts';

/**
 * Keeps the amounts, projects, frequency, and segment for accounting, and a Gift Aid declaration
 * with the name that it contains, because HMRC requires the record.
 */
export function omitDonorData(donated: DonationPayload): DonationPayload {
  const { amount, currency, frequency, coverCosts, coveredFees, total } = donated.gift;
  const { segment, projects: parts } = donated.gift;
  const { id, language } = donated.form;
  const { firstName, lastName } = donated.donor;
  const { giftAid, payment, organization, receiptSender, instructions, decimals, isTest } = donated;
  return {
    gift: { amount, currency, frequency, coverCosts, coveredFees, total, segment, projects: parts },
    donor: giftAid ? { firstName, lastName } : {},
    customFields: undefined,
    consents: undefined,
    giftAid,
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

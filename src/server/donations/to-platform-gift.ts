import type { DonationStatus, PaymentMethodType } from '@donation-form/core/donation';
import { toMajorUnits } from '@donation-form/core/money';
import { GiftStatus, RecurringGiftStatus } from '@donation-form/platform-clients/fundraising';
import type { Donation } from '../database/schema.ts';
import type { PlatformGift } from '../platform/platform-adapter.ts';

/** Gift statuses by donation status. For all other donation statuses, the gift is approved. */
const GIFT_STATUS: Readonly<Partial<Record<DonationStatus, GiftStatus>>> = {
  processing: GiftStatus.Pending,
  needs_review: GiftStatus.Pending,
  failed: GiftStatus.Declined,
};

/** @throws {Error} if the donor data has been deleted: no platform gets a gift without a donor. */
export function toPlatformGift(donation: Donation): PlatformGift {
  const { payload } = donation;
  if (donation.donorDeletedAt !== null)
    throw new Error(
      `donation ${donation.reference} cannot be sent, because its donor data was deleted`,
    );
  const { gift, donor, customFields = [], consents = [], tracking = {}, payment } = payload;
  const method = donation.paymentMethod ?? payment.method;
  return {
    reference: donation.reference,
    parent: undefined,
    paymentId: donation.paymentId ?? '',
    provider: payment.provider,
    ...(method !== undefined && { paymentMethod: method as PaymentMethodType }),
    ...(payment.providerType !== undefined && { paymentProviderType: payment.providerType }),
    giftStatus: GIFT_STATUS[donation.status] ?? GiftStatus.Approved,
    ...(donation.subscriptionId !== null && { recurringGiftStatus: RecurringGiftStatus.Active }),
    receiptSender: payload.receiptSender,
    givenAt: new Date(donation.createdAt),
    gift,
    donor,
    customFields,
    consents,
    tracking,
    projects: listProjectAmounts(donation),
    total: toMajorUnits(gift.total, payload.decimals),
    coveredFees: toMajorUnits(gift.coveredFees, payload.decimals),
  };
}

/**
 * Returns the projects' amounts in major units. If the form has a project for covered fees, they
 * add up to the total, and otherwise to the amount without fees.
 */
export function listProjectAmounts({
  payload: { gift, decimals, projects, feeProject },
}: Donation): PlatformGift['projects'] {
  const parts = projects.map((project, index) => ({
    project,
    amount: gift.projects[index]!.amount,
  }));
  const feePart = parts.find(({ project }) => project.id === feeProject?.id);
  if (feePart) feePart.amount += gift.coveredFees;
  else if (feeProject) parts.push({ project: feeProject, amount: gift.coveredFees });
  return parts.map(({ project, amount }) => ({
    ...project,
    amount: toMajorUnits(amount, decimals),
  }));
}

import type { PaymentMethodType } from '@donation-form/core/donation';
import { majorUnits } from '@donation-form/core/money';
import { GiftStatus, RecurringGiftStatus } from '@donation-form/platform-clients/fundraising';
import type { Donation, GiftState } from '../database/schema.ts';
import type { PlatformGift } from '../platform/platform-adapter.ts';

/** What a gift is at the platform before its money came, or when it never did. */
const GIFT_STATUS: Readonly<Partial<Record<GiftState, GiftStatus>>> = {
  pending: GiftStatus.Pending,
  declined: GiftStatus.Declined,
};

/**
 * The donation as the platform records it.
 * @throws where the donor's data was deleted: a gift without its donor is not sent to a platform.
 */
export function toPlatformGift(donation: Donation): PlatformGift {
  const { payload } = donation;
  if (donation.redacted_at !== null)
    throw new Error(
      `the donor's data of gift ${donation.reference} was deleted, so it cannot be recorded`,
    );
  const { gift, donor, customFields = [], consents = [], tracking = {}, payment } = payload;
  const method = donation.payment_method ?? payment.method;
  return {
    reference: donation.reference,
    parent: undefined,
    paymentId: donation.payment_id ?? '',
    ...(method !== undefined && { paymentMethod: method as PaymentMethodType }),
    ...(payment.providerType !== undefined && { paymentProviderType: payment.providerType }),
    giftStatus: GIFT_STATUS[donation.state] ?? GiftStatus.Approved,
    ...(donation.subscription_id !== null && { recurringGiftStatus: RecurringGiftStatus.Active }),
    receipt: payload.receipts,
    givenAt: new Date(donation.created_at),
    gift,
    donor,
    customFields,
    consents,
    tracking,
    projects: projectAmounts(donation),
    total: majorUnits(gift.total, payload.decimals),
    costs: majorUnits(gift.costs, payload.decimals),
  };
}

/** What a donation is for, each part with its amount in major units. */
export function projectAmounts({
  payload: { gift, decimals, projects },
}: Donation): PlatformGift['projects'] {
  return projects.map((project, index) => ({
    ...project,
    amount: majorUnits(gift.projects[index]!.amount, decimals),
  }));
}

import type { Action, DonateResponse, Outcome } from '@donation-form/core/schemas';
import { frequencyValue } from '@donation-form/core/donation';
import { fill } from '@donation-form/core/i18n';
import { majorUnits } from '@donation-form/core/money';
import type { Donation } from '../database/schema.ts';
import { projectAmounts } from './to-platform-gift.ts';

/**
 * What the donor's browser is told of a donation.
 * @param action what the donor has to do, where that is known.
 */
export function toOutcome(donation: Donation, action?: Action): Outcome {
  const { reference, payload } = donation;
  const { amount, costs, total, currency, frequency } = payload.gift;
  const known = {
    reference,
    provider: payload.payment.provider,
    gift: { amount, costs, total, currency, frequency },
  };
  switch (donation.state) {
    case 'charging':
    case 'held':
      return { ...known, state: 'checking' };
    case 'action':
      return { ...known, state: 'action', ...(action && { action }) };
    case 'pending':
      return {
        ...known,
        state: 'pending',
        ...(payload.instructions !== undefined && {
          instructions: fill(payload.instructions, {
            reference,
            total: `${majorUnits(total, payload.decimals)} ${currency}`,
          }),
        }),
      };
    case 'declined':
      return {
        ...known,
        state: 'declined',
        ...(donation.decline_reason && { reason: donation.decline_reason }),
      };
    case 'charged':
      return { ...known, state: 'succeeded', response: toResponse(donation) };
  }
}

/** The amounts of the split sum to the gift; covered costs are not in it. */
function toResponse(donation: Donation): DonateResponse {
  const { gift, decimals } = donation.payload;
  const frequency = frequencyValue(gift.frequency);
  return {
    success: true,
    message: null,
    transactionId: donation.payment_id ?? '',
    amount: Number(majorUnits(gift.total, decimals)),
    ...(frequency !== undefined && { frequency }),
    ...(gift.segment !== undefined && { segment: gift.segment }),
    giftId: donation.platform_gift_id,
    projectSplit: projectAmounts(donation).map(({ id, name, code, amount }) => ({
      projectId: id,
      projectName: name,
      ...(code !== undefined && { projectCode: code }),
      amount,
    })),
  };
}

import { toFrequencyCode } from '@donation-form/core/donation';
import { fillPlaceholders, findLanguage, getTextDirection } from '@donation-form/core/i18n';
import { createMoneyFormatter, toMajorUnits } from '@donation-form/core/money';
import type { DonateResponse, DonationOutcome, PaymentAction } from '@donation-form/core/schemas';
import type { Donation } from '../database/schema.ts';
import { toIntegerGiftId } from '../lib/to-integer-gift-id.ts';
import { listProjectAmounts } from './to-platform-gift.ts';

/** @param action the donor's next action, if known. */
export function toOutcome(donation: Donation, action?: PaymentAction): DonationOutcome {
  const { reference, payload } = donation;
  const { amount, coveredFees, total, currency, frequency } = payload.gift;
  const common = {
    reference,
    provider: payload.payment.provider,
    gift: { amount, coveredFees, total, currency, frequency },
  };
  switch (donation.status) {
    case 'unconfirmed':
    case 'needs_review':
      return { ...common, status: 'unconfirmed' };
    case 'requires_action':
      return { ...common, status: 'requires_action', ...(action && { action }) };
    case 'processing': {
      const awaiting = donation.awaiting ?? 'bank';
      return {
        ...common,
        status: 'processing',
        awaiting,
        ...(awaiting === 'bank' && { response: toDonateResponse(donation) }),
        ...(payload.instructions !== undefined && {
          instructions: fillPlaceholders(payload.instructions, {
            reference,
            total: formatTotal(payload),
          }),
        }),
      };
    }
    case 'failed':
      return {
        ...common,
        status: 'failed',
        ...(donation.failureReason && { reason: donation.failureReason }),
      };
    case 'succeeded':
      return { ...common, status: 'succeeded', response: toDonateResponse(donation) };
  }
}

/** Money formatters by language. Creating one takes longer than everything else in an outcome. */
const moneyFormatters = new Map<string, ReturnType<typeof createMoneyFormatter>>();

function formatTotal({ form, gift, decimals }: Donation['payload']): string {
  const language = findLanguage(form.language) ?? 'en';
  const formatMoney =
    moneyFormatters.get(language) ?? createMoneyFormatter(language, getTextDirection(language));
  moneyFormatters.set(language, formatMoney);
  return formatMoney(gift.total, gift.currency, decimals);
}

function toDonateResponse(donation: Donation): DonateResponse {
  const { gift, decimals } = donation.payload;
  const frequency = toFrequencyCode(gift.frequency);
  return {
    success: true,
    message: null,
    transactionId: donation.paymentId ?? '',
    amount: Number(toMajorUnits(gift.total, decimals)),
    ...(frequency !== undefined && { frequency }),
    ...(gift.segment !== undefined && { segment: gift.segment }),
    giftId: toIntegerGiftId(donation.platformGiftId),
    projectSplit: listProjectAmounts(donation).map(({ id, name, code, amount }) => ({
      projectId: id,
      projectName: name,
      ...(code !== undefined && { projectCode: code }),
      amount,
    })),
  };
}

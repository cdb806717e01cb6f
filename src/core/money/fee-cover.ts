import type { PaymentMethodType } from '../donation/payment-method-type.ts';

/** Transaction fee: a percentage of the total charged plus a fixed amount. */
export interface FeeRate {
  /** Hundredths of a percent of the total: 2.9% is 290. */
  readonly basisPoints: number;
  /** Fixed amount per payment, in minor units. */
  readonly fixed: number;
  /** Maximum fee in minor units. Absent if the fee has no upper limit. */
  readonly maximum?: number | undefined;
}

/** A currency's fee cover: the general rate, and rates for individual payment methods. */
export interface FeeCover extends FeeRate {
  readonly methods?: Partial<Record<PaymentMethodType, FeeRate>> | undefined;
  /** ID of the project that receives the covered fees. Absent if none does (rule 63). */
  readonly projectId?: string | undefined;
}

/**
 * Returns the rate for a payment method, or `undefined` if it has no fee to cover.
 * @param method absent for offline payments, which have no fee.
 */
export function getFeeRate(
  feeCover: FeeCover | undefined,
  method: PaymentMethodType | undefined,
): FeeRate | undefined {
  const rate = method === undefined ? undefined : (feeCover?.methods?.[method] ?? feeCover);
  return rate && rate.basisPoints + rate.fixed > 0 ? rate : undefined;
}

/**
 * Calculates the amount that covers the transaction fee, so that the organization receives the
 * whole donation. The total is `ceil((amount + fixed) / (1 - rate))`, or the amount plus the
 * maximum fee if that is less.
 * @param amount in minor units.
 * @returns the fee cover to add to the amount, in minor units.
 */
export function calculateFeeCover(
  amount: number,
  { basisPoints, fixed, maximum = Infinity }: FeeRate,
): number {
  return Math.min(
    maximum,
    Math.ceil(((amount + fixed) * 10_000) / (10_000 - basisPoints)) - amount,
  );
}

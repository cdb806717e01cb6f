import type { PaymentMethodType } from '../donation/payment-method-type.ts';

/** Transaction fee: a percentage of the total charged plus a fixed amount. */
export interface FeeRate {
  /** Percentage of the total, in hundredths of a percent: 290 is 2.9%. */
  readonly basisPoints: number;
  /** Fixed amount per payment, in minor units. */
  readonly fixed: number;
  /** Maximum fee in minor units. Absent if the fee has no upper limit. */
  readonly maximum?: number | undefined;
}

/**
 * Fees that donors can cover in a currency: the general rate and the rates for individual payment
 * methods.
 */
export interface FeeCover extends FeeRate {
  readonly methods?: Partial<Record<PaymentMethodType, FeeRate>> | undefined;
  /**
   * ID of the project that receives the covered fees. Absent if no project receives the fees (rule
   * 63).
   */
  readonly projectId?: string | undefined;
}

/**
 * Returns the fee rate for a payment method, or `undefined` if the method has no fee to cover.
 * @param method payment method, or `undefined` for an offline payment, which has no fee.
 */
export function getFeeRate(
  feeCover: FeeCover | undefined,
  method: PaymentMethodType | undefined,
): FeeRate | undefined {
  const rate = method === undefined ? undefined : (feeCover?.methods?.[method] ?? feeCover);
  return rate && rate.basisPoints + rate.fixed > 0 ? rate : undefined;
}

/**
 * Calculates the amount that the donor adds to cover the transaction fee. The organization then
 * receives the whole donation. The total is `ceil((amount + fixed) / (1 - rate))`, or the amount
 * plus the maximum fee if that sum is lower.
 * @param amount donation amount, in minor units.
 * @returns the amount to add, in minor units.
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

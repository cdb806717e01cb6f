import type { PaymentMethodType } from '../donation/payment-method-type.ts';

/** Transaction fee: a percentage of the total charged plus a fixed amount. */
export interface FeeRate {
  /** Percentage of the total, in hundredths of a percent: 290 is 2.9%. */
  readonly basisPoints: number;
  /** Fixed amount per payment, in minor units. */
  readonly fixed: number;
  /** Minor units. Absent if the fee has no upper limit. */
  readonly maximum?: number | undefined;
}

/** Fees that donors can cover in a currency: the general rate and exceptions. */
export interface FeeCover extends FeeRate {
  readonly methods?: Partial<Record<PaymentMethodType, FeeRate>> | undefined;
  /** ID of the project that receives the covered fees, if any (rule 63). */
  readonly projectId?: string | undefined;
}

/** Returns a method's fee rate, if any. Offline payments have no method and no fee. */
export function getFeeRate(
  feeCover: FeeCover | undefined,
  method: PaymentMethodType | undefined,
): FeeRate | undefined {
  const rate = method === undefined ? undefined : (feeCover?.methods?.[method] ?? feeCover);
  return rate && rate.basisPoints + rate.fixed > 0 ? rate : undefined;
}

/**
 * Calculates what the donor adds so that the organization receives the whole amount: the total is
 * `ceil((amount + fixed) / (1 - rate))`, at most the amount plus the maximum fee.
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

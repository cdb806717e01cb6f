import type { PaymentMethodType } from '../donation/payment-method-type.ts';

export interface FeeRate {
  /** Percentage of the total, in hundredths of a percent: 290 is 2.9%. */
  readonly basisPoints: number;
  /** Minor units, per payment. */
  readonly fixed: number;
  /** Minor units. Absent if the fee has no upper limit. */
  readonly maximum?: number | undefined;
}

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

/** The total is `ceil((amount + fixed) / (1 - rate))`, but the fee at most the maximum. */
export function calculateFeeCover(
  amount: number,
  { basisPoints, fixed, maximum = Infinity }: FeeRate,
): number {
  return Math.min(
    maximum,
    Math.ceil(((amount + fixed) * 10_000) / (10_000 - basisPoints)) - amount,
  );
}

/** Transaction fee: a percentage of the total charged plus a fixed amount. */
export interface FeeRate {
  /** Hundredths of a percent of the total: 2.9% is 290. */
  readonly basisPoints: number;
  /** Minor units per payment. */
  readonly fixed: number;
}

/**
 * Calculates the amount that covers the transaction fee, so that the organization receives the
 * whole donation. The total is `ceil((amount + fixed) / (1 - rate))`.
 * @param amount in minor units.
 * @returns minor units to add to the amount.
 */
export function calculateFeeCover(amount: number, rate: FeeRate): number {
  return Math.ceil(((amount + rate.fixed) * 10_000) / (10_000 - rate.basisPoints)) - amount;
}

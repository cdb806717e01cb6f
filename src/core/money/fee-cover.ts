/** What a payment costs the organisation: a share of all that is charged, and a fixed part. */
export interface CostRate {
  /** Hundredths of a percent of the total: 2.9 % is 290. */
  readonly basisPoints: number;
  /** Minor units for each payment. */
  readonly fixed: number;
}

/**
 * The costs that a donor adds so that the organisation keeps the whole gift.
 * The total is `ceil((gift + fixed) / (1 - rate))`: never a minor unit short.
 * @param gift minor units.
 * @returns minor units to add to the gift.
 */
export function coveredCosts(gift: number, rate: CostRate): number {
  return Math.ceil(((gift + rate.fixed) * 10_000) / (10_000 - rate.basisPoints)) - gift;
}

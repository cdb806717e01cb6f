/** Response body of `GET /goal`: progress toward a goal. Amounts are in minor units. */
export interface GoalProgress {
  id: string;
  name: string;
  /** ISO 4217. */
  currency: string;
  decimals: number;
  target: number;
  /** All charges, minus refunds and covered fees, plus the amount raised outside the form. */
  raised: number;
  /** Number of donations and renewals that count toward the goal. */
  donations: number;
  /** Time of the calculation, in ISO 8601 format. */
  asOf: string;
}

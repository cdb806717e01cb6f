import { z } from 'zod';

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

const minorUnits = z.int().min(0);

export const goalProgress: z.ZodType<GoalProgress> = z.strictObject({
  id: z.string(),
  name: z.string(),
  currency: z.string(),
  decimals: z.int().min(0).max(4),
  target: minorUnits.positive(),
  raised: minorUnits,
  donations: minorUnits,
  asOf: z.iso.datetime(),
});

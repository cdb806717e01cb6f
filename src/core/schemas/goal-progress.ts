import { z } from 'zod';

/** The body of `GET /goal`: how far a goal has come. Amounts are minor units. */
export interface GoalProgress {
  id: string;
  name: string;
  /** ISO 4217. */
  currency: string;
  decimals: number;
  target: number;
  /** What was charged and not paid back, without covered costs, and what came in elsewhere. */
  raised: number;
  /** How many gifts and renewals that is. */
  gifts: number;
  /** When that was counted, ISO 8601. */
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
  gifts: minorUnits,
  asOf: z.iso.datetime(),
});

import { z } from 'zod';

const minorUnits = z.int().min(0);

/** The body of `GET /goal`: how far a goal has come. Amounts are minor units. */
export const goalProgress = z.strictObject({
  id: z.string(),
  name: z.string(),
  currency: z.string().describe('ISO 4217'),
  decimals: z.int().min(0).max(4),
  target: minorUnits.positive(),
  raised: minorUnits.describe(
    'what was charged and not paid back, without covered costs, and what came in elsewhere',
  ),
  gifts: minorUnits.describe('how many gifts and renewals that is'),
  asOf: z.iso.datetime().describe('when that was counted'),
});
export type GoalProgress = z.infer<typeof goalProgress>;

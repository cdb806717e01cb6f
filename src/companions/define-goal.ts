/** The package's entry: registers `<donation-goal>`. */
import { DonationGoalElement } from './donation-goal.ts';
import { define } from './element-base.ts';

define('donation-goal', DonationGoalElement);

export * from './donation-goal.ts';

/** The package's entry: registers `<donation-goal>`. */
import { DonationGoalElement } from './donation-goal.ts';
import { define } from './server-element.ts';

define('donation-goal', DonationGoalElement);

export * from './donation-goal.ts';

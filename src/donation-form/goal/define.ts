/** Package entry that registers `<donation-goal>`. */
import { DonationGoalElement } from './donation-goal.ts';
import { defineElement } from './server-element.ts';

defineElement('donation-goal', DonationGoalElement);

export * from './donation-goal.ts';

/** The embed script for `<donation-goal>`. The default endpoint is the script's own directory. */
import { DonationGoalElement } from './donation-goal.ts';
import { defineElement } from './server-element.ts';

DonationGoalElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;
defineElement('donation-goal', DonationGoalElement);

/**
 * The script that pages embed for `<donation-goal>`: the directory that it came from is the
 * endpoint of elements that name none.
 */
import { DonationGoalElement } from './donation-goal.ts';
import { define } from './server-element.ts';

DonationGoalElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;
define('donation-goal', DonationGoalElement);

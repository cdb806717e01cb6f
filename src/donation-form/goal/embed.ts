/**
 * The embedded script of `<donation-goal>`. The directory it was loaded from is the default
 * endpoint.
 */
import { DonationGoalElement } from './donation-goal.ts';
import { defineElement } from './server-element.ts';

DonationGoalElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;
defineElement('donation-goal', DonationGoalElement);

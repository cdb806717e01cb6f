/** Package entry that registers `<donation-button>`. */
import { defineElement } from '../goal/server-element.ts';
import { DonationButtonElement } from './donation-button.ts';

defineElement('donation-button', DonationButtonElement);

export * from './donation-button.ts';

/** Package entry that registers `<donation-button>`. */
import { DonationButtonElement } from './donation-button.ts';
import { defineElement } from '../goal/server-element.ts';

defineElement('donation-button', DonationButtonElement);

export * from './donation-button.ts';

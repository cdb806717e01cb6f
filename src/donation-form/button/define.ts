/** The package's entry: registers `<donation-button>`. */
import { DonationButtonElement } from './donation-button.ts';
import { define } from '../goal/server-element.ts';

define('donation-button', DonationButtonElement);

export * from './donation-button.ts';

/** The embed script for `<donation-button>`. The default endpoint is the script's own directory. */
import { DonationButtonElement } from './donation-button.ts';
import { defineElement } from '../goal/server-element.ts';

DonationButtonElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;
defineElement('donation-button', DonationButtonElement);

/** The embed script for `<donation-button>`. The default endpoint is the script's own directory. */
import { defineElement } from '../goal/server-element.ts';
import { DonationButtonElement } from './donation-button.ts';

DonationButtonElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;
defineElement('donation-button', DonationButtonElement);

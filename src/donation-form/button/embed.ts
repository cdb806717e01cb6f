/**
 * The embedded script of `<donation-button>`. The directory it was loaded from is the default
 * endpoint.
 */
import { DonationButtonElement } from './donation-button.ts';
import { defineElement } from '../goal/server-element.ts';

DonationButtonElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;
defineElement('donation-button', DonationButtonElement);

/**
 * The script that pages embed for `<donation-button>`: the directory that it came from is the
 * endpoint of elements that name none.
 */
import { DonationButtonElement } from './donation-button.ts';
import { define } from '../goal/server-element.ts';

DonationButtonElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;
define('donation-button', DonationButtonElement);

/**
 * Sets the default endpoint to the script's own directory. Must run before the element's
 * registration.
 */
import { DonationFormElement } from '../form/donation-form.ts';

DonationFormElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;

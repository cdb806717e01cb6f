/**
 * Sets the default endpoint to the directory from which the script was loaded. Must run before the
 * element is registered.
 */
import { DonationFormElement } from '../form/donation-form.ts';

DonationFormElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;

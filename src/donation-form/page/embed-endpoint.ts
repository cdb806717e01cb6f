/**
 * Sets the default endpoint to the directory that the script was loaded from. Must run before the
 * element is registered.
 */
import { DonationFormElement } from '../form/donation-form.ts';

DonationFormElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;

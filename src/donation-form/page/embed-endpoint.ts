/**
 * The directory that the script came from is the endpoint of elements that name none. Evaluated
 * before the element is registered.
 */
import { DonationFormElement } from '../form/donation-form.ts';

DonationFormElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;

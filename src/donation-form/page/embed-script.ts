/**
 * Preloads the submission module without evaluating it before the first paint. Must run before the
 * element's registration.
 */
import { DonationFormElement } from '../form/donation-form.ts';
import { preload } from './preload.ts';

DonationFormElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;
DonationFormElement.preloadSubmission = () =>
  preload('modulepreload', import.meta.resolve('./donation-form.lazy.js'));

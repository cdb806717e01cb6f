/**
 * Preloads the submission module without evaluating it before the first paint. Must run before the
 * element's registration.
 */
import { DonationFormElement } from '../form/donation-form.ts';

DonationFormElement.defaultEndpoint = new URL(/* @vite-ignore */ '.', import.meta.url).href;
DonationFormElement.preloadSubmission = () => {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = import.meta.resolve('./donation-form.lazy.js');
  document.head.append(link);
};

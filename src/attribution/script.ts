/** The script for any page of a site. Its tag says `data-consent="granted"`, or `window.ServiceDonorsForms.consent` is a function that says so. */
import { settingsOf } from '../settings/page-object.ts';
import { keepLanding } from './attribution.ts';

const isGranted = [...document.scripts].some(({ src, dataset }) => src === import.meta.url && dataset.consent === 'granted');

void keepLanding({
  consent: () => {
    const ask = settingsOf(window, 'consent');
    return typeof ask === 'function' ? (ask as () => unknown)() : isGranted;
  },
});

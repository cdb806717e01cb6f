/**
 * The script for any page of a site. Its tag says `data-consent="granted"`, or
 * `window.ServiceDonorsForms.consent` is a function that says so.
 */
import { consentOf } from '@donation-form/core/settings';
import { keepLanding } from './attribution.ts';

const consent = [...document.scripts].find(({ src }) => src === import.meta.url)?.dataset.consent;

void keepLanding({ consent: () => consentOf(consent) });

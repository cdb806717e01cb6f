/**
 * The attribution script for any page of a site. `data-consent="granted"` on the script tag or the
 * `window.ServiceDonorsForms.consent` function indicates the visitor's consent.
 */
import { readConsent } from '@donation-form/core/settings';
import { saveLandingParams } from './attribution.ts';

const consent = [...document.scripts].find(({ src }) => src === import.meta.url)?.dataset.consent;

void saveLandingParams({ consent: () => readConsent(consent) });

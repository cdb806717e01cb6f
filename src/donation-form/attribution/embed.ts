/**
 * The attribution script for any page of a site. Reads the visitor's consent from
 * `data-consent="granted"` on its script tag or from the `window.ServiceDonorsForms.consent`
 * function.
 */
import { readConsent } from '@donation-form/core/settings';
import { toArray } from '../page/to-array.ts';
import { saveLandingParams } from './attribution.ts';

const consent = toArray(document.scripts).find(({ src }) => src === import.meta.url)?.dataset
  .consent;

void saveLandingParams({ consent: () => readConsent(consent) });

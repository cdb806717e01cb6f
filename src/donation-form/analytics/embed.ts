/**
 * The analytics script for pages with a form. If a page does not use Google Consent Mode, the
 * script reads the visitor's consent from `data-consent="granted"` on its tag or from the
 * `window.ServiceDonorsForms.consent` function. Optional attributes of the tag:
 * `data-value="total"` and `data-tools="gtag fbq"`.
 */
import { readConsent } from '@donation-form/core/settings';
import { toArray } from '../page/to-array.ts';
import { type AnalyticsOptions, trackDonations } from './analytics.ts';

const { consent, value, tools } =
  toArray(document.scripts).find(({ src }) => src === import.meta.url)?.dataset ?? {};

trackDonations({
  consent: () => readConsent(consent),
  value: value as AnalyticsOptions['value'],
  tools: tools?.split(/\W+/) as AnalyticsOptions['tools'],
});

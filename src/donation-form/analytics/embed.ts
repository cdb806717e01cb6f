/**
 * The analytics script for pages with a form. Without Google Consent Mode, the visitor consents
 * through `data-consent="granted"` on the script tag or the function
 * `window.ServiceDonorsForms.consent`. Options: `data-value="total"` and `data-tools="gtag fbq"`.
 */
import { readConsent } from '@donation-form/core/settings';
import { trackDonations, type AnalyticsOptions } from './analytics.ts';

const { consent, value, tools } =
  [...document.scripts].find(({ src }) => src === import.meta.url)?.dataset ?? {};

trackDonations({
  consent: () => readConsent(consent),
  value: value as AnalyticsOptions['value'],
  tools: tools?.split(/\W+/) as AnalyticsOptions['tools'],
});

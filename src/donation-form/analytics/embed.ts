/**
 * The analytics script for pages with a form. Without Google Consent Mode, `data-consent="granted"`
 * on the script tag or the `window.ServiceDonorsForms.consent` function indicates consent. Options:
 * `data-value="total"` and `data-tools="gtag fbq"`.
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

/**
 * The script for pages with a form. Its tag says `data-consent="granted"`, or
 * `window.ServiceDonorsForms.consent` is a function that says so, where the page has no Google
 * Consent Mode;
 * `data-value="total"` and `data-tools="gtag fbq"` are the options.
 */
import { consentOf } from '@donation-form/core/settings';
import { measureGifts, type Analytics } from './analytics.ts';

const { consent, value, tools } =
  [...document.scripts].find(({ src }) => src === import.meta.url)?.dataset ?? {};

measureGifts({
  consent: () => consentOf(consent),
  value: value as Analytics['value'],
  tools: tools?.split(/\W+/) as Analytics['tools'],
});

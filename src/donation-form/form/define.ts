/** Registers `<donation-form>`. */
import { DonationFormElement } from './donation-form.ts';

const first = customElements.get('donation-form') as { readonly version?: string } | undefined;
if (!first) customElements.define('donation-form', DonationFormElement);
else if (first !== DonationFormElement)
  console.warn(
    `donation-form: version ${first.version ?? 'unknown'} is on this page already, so version ${DonationFormElement.version} does nothing. Keep one of the two script tags.`,
  );

/** Registers `<donation-form>`. */
import { DonationFormElement } from './donation-form.ts';

const existingClass = customElements.get('donation-form') as
  { readonly version?: string } | undefined;
if (!existingClass) customElements.define('donation-form', DonationFormElement);
else if (existingClass !== DonationFormElement)
  console.warn(
    `donation-form: This page already has version ${existingClass.version ?? 'unknown'}, so version ` +
      `${DonationFormElement.version} is ignored. Remove one of the two script tags.`,
  );

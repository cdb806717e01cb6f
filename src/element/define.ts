/** Registers `<donation-form>`. */
import { DonationFormElement } from './donation-form.ts';

export * from './donation-form.ts';
export * from './events.ts';
export type * from './ignored-event.ts';
export type * from './page-settings.ts';
export type * from '../settings/explain.ts';

const first = customElements.get('donation-form') as { readonly version?: string } | undefined;
if (!first) customElements.define('donation-form', DonationFormElement);
else if (first !== DonationFormElement) console.warn(`donation-form: version ${first.version ?? 'unknown'} is on this page already, so version ${DonationFormElement.version} does nothing. Keep one of the two script tags.`);

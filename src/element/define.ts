/** Registers `<donation-form>`. */
import { DonationFormElement } from './donation-form.ts';

export * from './donation-form.ts';
export * from './events.ts';
export type * from './page-settings.ts';
export type * from '../settings/explain.ts';

if (!customElements.get('donation-form')) customElements.define('donation-form', DonationFormElement);

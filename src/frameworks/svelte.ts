/** The package's entry `donation-form/svelte`: `<donation-form>` in the templates of Svelte 5. Types alone. */
import type { HTMLAttributes } from 'svelte/elements';
import type { DonationFormElement } from '../element/donation-form.ts';
import type { DonationFormAttributes, DonationFormHandlers, DonationFormProperties } from './tag.ts';

type InTemplate = HTMLAttributes<DonationFormElement> & DonationFormProperties & DonationFormAttributes & DonationFormHandlers;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'donation-form': InTemplate;
  }
}

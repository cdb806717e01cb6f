/**
 * The package's entry `donation-form/svelte`: `<donation-form>`, `<donation-button>` and
 * `<donation-goal>` in the templates of Svelte 5. Types alone.
 */
import type { HTMLAttributes } from 'svelte/elements';
import type { DonationButtonElement } from '../button/donation-button.ts';
import type { DonationGoalElement } from '../goal/donation-goal.ts';
import type { DonationFormElement } from '../form/donation-form.ts';
import type {
  DonationButtonAttributes,
  DonationFormAttributes,
  DonationFormHandlers,
  DonationFormProperties,
  DonationGoalAttributes,
} from './tag.ts';

type InTemplate<Element extends EventTarget, Own> = HTMLAttributes<Element> & Own;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'donation-form': InTemplate<
      DonationFormElement,
      DonationFormProperties & DonationFormAttributes & DonationFormHandlers
    >;
    'donation-button': InTemplate<DonationButtonElement, DonationButtonAttributes>;
    'donation-goal': InTemplate<DonationGoalElement, DonationGoalAttributes>;
  }
}

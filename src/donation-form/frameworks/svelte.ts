/**
 * Package entry `donation-form/svelte`: types for `<donation-form>`, `<donation-button>`, and
 * `<donation-goal>` in Svelte 5 templates.
 */
import type { HTMLAttributes } from 'svelte/elements';
import type { DonationButtonElement } from '../button/donation-button.ts';
import type { DonationFormElement } from '../form/donation-form.ts';
import type { DonationGoalElement } from '../goal/donation-goal.ts';
import type {
  DonationButtonAttributes,
  DonationFormProps,
  DonationGoalAttributes,
} from './tag-types.ts';

type TemplateProps<Element extends EventTarget, Own> = HTMLAttributes<Element> & Own;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'donation-form': TemplateProps<DonationFormElement, DonationFormProps>;
    'donation-button': TemplateProps<DonationButtonElement, DonationButtonAttributes>;
    'donation-goal': TemplateProps<DonationGoalElement, DonationGoalAttributes>;
  }
}

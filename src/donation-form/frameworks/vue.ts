/**
 * Package entry `donation-form/vue`: types for `<donation-form>`, `<donation-button>`, and
 * `<donation-goal>` in Vue templates.
 */
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type { DonationButtonElement } from '../button/donation-button.ts';
import type { DonationFormEventMap } from '../events/events.ts';
import type { DonationFormElement } from '../form/donation-form.ts';
import type { DonationGoalElement } from '../goal/donation-goal.ts';
import type { DonationFormProperties, DonationGoalAttributes } from './tag-types.ts';

/**
 * Component type that Vue's template checker expects. At runtime, a template ref to the tag holds
 * the element itself, which has no `$props` property.
 */
type TemplateComponent<Element, Own> = new () => Element & {
  $props: HTMLAttributes & Own & PublicProps;
};

declare module 'vue' {
  interface GlobalComponents {
    'donation-form': TemplateComponent<
      DonationFormElement & {
        $emit: EmitFn<{
          [Name in keyof DonationFormEventMap]: (event: DonationFormEventMap[Name]) => void;
        }>;
      },
      DonationFormProperties
    >;
    'donation-button': TemplateComponent<
      DonationButtonElement,
      Omit<DonationFormProperties, 'settings'>
    >;
    'donation-goal': TemplateComponent<DonationGoalElement, DonationGoalAttributes>;
  }
}

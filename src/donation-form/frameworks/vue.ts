/**
 * The package's entry `donation-form/vue`: `<donation-form>`, `<donation-button>` and
 * `<donation-goal>` in Vue's templates. Types alone.
 */
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type { DonationButtonElement } from '../button/donation-button.ts';
import type { DonationGoalElement } from '../goal/donation-goal.ts';
import type { DonationFormElement } from '../form/donation-form.ts';
import type { DonationFormEventMap } from '../events/events.ts';
import type { DonationFormProperties, DonationGoalAttributes } from './tag.ts';

/**
 * What a template's type check reads of a component. A ref to the tag is the element itself, which
 * has no `$props`.
 */
type InTemplate<Element, Own> = new () => Element & { $props: HTMLAttributes & Own & PublicProps };

declare module 'vue' {
  interface GlobalComponents {
    'donation-form': InTemplate<
      DonationFormElement & {
        $emit: EmitFn<{
          [Name in keyof DonationFormEventMap]: (event: DonationFormEventMap[Name]) => void;
        }>;
      },
      DonationFormProperties
    >;
    'donation-button': InTemplate<DonationButtonElement, Omit<DonationFormProperties, 'settings'>>;
    'donation-goal': InTemplate<DonationGoalElement, DonationGoalAttributes>;
  }
}

/**
 * The package's entry `donation-form/react`: `<donation-form>`, `<donation-button>` and
 * `<donation-goal>` in the JSX of React 19. Types alone.
 */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
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

type InJsx<Element, Own> = DetailedHTMLProps<HTMLAttributes<Element>, Element> & Own;

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- where React keeps the tags of its JSX
  namespace JSX {
    interface IntrinsicElements {
      'donation-form': InJsx<
        DonationFormElement,
        DonationFormProperties & DonationFormAttributes & DonationFormHandlers
      >;
      'donation-button': InJsx<DonationButtonElement, DonationButtonAttributes>;
      'donation-goal': InJsx<DonationGoalElement, DonationGoalAttributes>;
    }
  }
}

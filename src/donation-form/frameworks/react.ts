/**
 * Package entry `donation-form/react`: types for `<donation-form>`, `<donation-button>`, and
 * `<donation-goal>` in React 19's JSX.
 */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { DonationButtonElement } from '../button/donation-button.ts';
import type { DonationFormElement } from '../form/donation-form.ts';
import type { DonationGoalElement } from '../goal/donation-goal.ts';
import type {
  DonationButtonAttributes,
  DonationFormProps,
  DonationGoalAttributes,
} from './tag-types.ts';

type JsxProps<Element, Own> = DetailedHTMLProps<HTMLAttributes<Element>, Element> & Own;

declare module 'react' {
  // oxlint-disable-next-line typescript/no-namespace -- React declares its JSX in a namespace
  namespace JSX {
    interface IntrinsicElements {
      'donation-form': JsxProps<DonationFormElement, DonationFormProps>;
      'donation-button': JsxProps<DonationButtonElement, DonationButtonAttributes>;
      'donation-goal': JsxProps<DonationGoalElement, DonationGoalAttributes>;
    }
  }
}

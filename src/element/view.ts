import type { FormProblem, FormState, Offer, Sums } from '../form/state.ts';
import type { Texts } from '../texts/en.ts';

/** A message above the button, about the gift as a whole. */
export type Notice = 'card-incomplete' | 'card-failed' | 'payment-unavailable' | 'card-declined' | 'not-charged' | 'no-answer' | 'definition-changed' | 'refused';

/** All that the sections of the form draw from. */
export interface View {
  readonly texts: Texts;
  readonly offer: Offer;
  readonly state: FormState;
  readonly sums: Sums | undefined;
  readonly problems: readonly FormProblem[];
  readonly notice: Notice | undefined;
  readonly isSending: boolean;
  /** An amount of the form's currency, for reading. */
  readonly money: (minor: number) => string;
}

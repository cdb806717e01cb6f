import type { FormProblem, FormState, Offer, Sums } from '../form/state.ts';
import type { GiftNotice, SendingTexts } from '../texts/en-sending.ts';
import type { Texts } from '../texts/en.ts';

/** A message above the button, about the gift as a whole, or how many things were wrong when it was pressed. */
export type Notice = GiftNotice | 'payment-unavailable' | { readonly problems: number };

/** All that the sections of the form draw from. */
export interface View {
  readonly texts: Texts;
  readonly offer: Offer;
  readonly state: FormState;
  readonly sums: Sums | undefined;
  readonly problems: readonly FormProblem[];
  readonly notice: Notice | undefined;
  /** The words for a notice, where the gift was sent. */
  readonly sendingTexts: SendingTexts | undefined;
  readonly isSending: boolean;
  /** An amount of the form's currency, for reading. */
  readonly money: (minor: number) => string;
}

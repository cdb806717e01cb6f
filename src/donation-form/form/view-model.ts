import type { TemplateResult } from 'lit';
import type { Edits, FormState, FormContext, Sums } from '../state/form-state.ts';
import type { Language, GiftNotice, FormTexts } from '@donation-form/core/i18n';

/**
 * A message above the button, about the gift as a whole: `problems` lists what is missing or wrong.
 */
export type Notice = GiftNotice | 'payment-unavailable' | 'problems';

/** What is wrong with a control, by its name in the form, in words. */
export interface FieldError {
  readonly control: string;
  readonly message: string;
}

/** All that the sections of the form draw from. */
export interface View {
  readonly texts: FormTexts;
  readonly language: Language;
  readonly context: FormContext;
  readonly state: FormState;
  readonly sums: Sums | undefined;
  readonly fieldErrors: readonly FieldError[];
  readonly notice: Notice | undefined;
  /** The words of the notice. */
  readonly noticeText: string | TemplateResult;
  readonly isSending: boolean;
  /** What the form waits for while it sends, in words. */
  readonly progressMessage: string;
  /** An amount for reading; of the form's currency where none is named. */
  readonly formatMoney: (minor: number, currency?: string) => string;
  /** Does what the donor would do with these controls; the others stay. */
  readonly edit: (edits: Edits) => void;
}

/** What messages about a form's fields are made from. */
export interface CheckedForm {
  readonly element: HTMLElement;
  readonly context: FormContext | undefined;
  readonly state: FormState;
  readonly sums: Sums | undefined;
  readonly formatMoney: View['formatMoney'];
}

import type { nothing, TemplateResult } from 'lit';
import type { TRIBUTE_KINDS } from '@donation-form/core/donation';
import type {
  Edits,
  FieldError,
  FormState,
  FormContext,
  Totals,
} from '@donation-form/core/form-state';
import type { Language, SubmissionNotice, FormTexts } from '@donation-form/core/i18n';

/** Notice about a submission, or about a payment provider that the form cannot use. */
export type PaymentNotice = SubmissionNotice | 'payment-unavailable';

/**
 * Message above the submit button. `problems` lists the invalid fields. `payment-stalled` offers an
 * alternative to a payment field that does not respond.
 */
export type Notice = PaymentNotice | 'payment-stalled' | 'problems';

/** Illustrations, which load after the form is ready to use. */
export interface Illustrations {
  readonly renderImpactDrawing: (view: View) => TemplateResult | typeof nothing;
  readonly thankYouDrawing: TemplateResult;
  readonly letterDrawing: TemplateResult;
  readonly tributeDrawings: Readonly<Record<(typeof TRIBUTE_KINDS)[number], TemplateResult>>;
}

/** Data that the form's sections render. */
export interface View {
  readonly texts: FormTexts;
  readonly language: Language;
  readonly context: FormContext;
  readonly state: FormState;
  readonly totals: Totals | undefined;
  readonly fieldErrors: readonly FieldError[];
  readonly notice: Notice | undefined;
  readonly noticeText: string | TemplateResult;
  /** Illustrations. Undefined until loaded. */
  readonly illustrations: Illustrations | undefined;
  readonly isSending: boolean;
  readonly progressMessage: string;
  /**
   * Formats an amount in minor units. The default currency is the currency selected in the form.
   */
  readonly formatMoney: (minor: number, currency?: string) => string;
  /** Applies edits as if the donor had made them. */
  readonly applyEdits: (edits: Edits) => void;
}

/** The parts of a form that validation uses. */
export interface ValidatedForm {
  readonly element: HTMLElement;
  readonly context: FormContext | undefined;
  readonly state: FormState;
  readonly totals: Totals | undefined;
  readonly formatMoney: View['formatMoney'];
}

/** Texts on and below the submit button. */
export type SubmitTexts = Pick<FormTexts, 'give' | 'giveWithoutAmount' | 'recipientNote'>;

import type { nothing, TemplateResult } from 'lit';
import type { TRIBUTE_KINDS } from '@donation-form/core/donation';
import type {
  Edits,
  FieldError,
  FormContext,
  FormState,
  Totals,
} from '@donation-form/core/form-state';
import type { FormTexts, Language, SubmissionNotice, Translation } from '@donation-form/core/i18n';

/** Notice about a submission, or about a payment provider that the form cannot use. */
export type PaymentNotice = SubmissionNotice | 'payment-unavailable';

/** `problems`: the invalid fields. `payment-stalled`: an alternative to a silent payment field. */
export type Notice = PaymentNotice | 'payment-stalled' | 'problems';

export interface Illustrations {
  readonly renderImpactDrawing: (view: View) => TemplateResult | typeof nothing;
  readonly thankYouDrawing: TemplateResult;
  readonly letterDrawing: TemplateResult;
  readonly tributeDrawings: Readonly<Record<(typeof TRIBUTE_KINDS)[number], TemplateResult>>;
}

export interface View {
  readonly texts: FormTexts;
  readonly translation: Translation | undefined;
  readonly language: Language;
  readonly context: FormContext;
  readonly state: FormState;
  readonly totals: Totals | undefined;
  readonly fieldErrors: readonly FieldError[];
  readonly notice: Notice | undefined;
  readonly noticeText: string | TemplateResult;
  readonly illustrations: Illustrations | undefined;
  readonly isSending: boolean;
  readonly progressMessage: string;
  /** The default currency is the one selected in the form. */
  readonly formatMoney: (minor: number, currency?: string) => string;
  /** Applies edits as if the donor had made them. */
  readonly applyEdits: (edits: Edits) => void;
}

export interface ValidatedForm extends Pick<
  View,
  'texts' | 'translation' | 'state' | 'formatMoney'
> {
  readonly element: HTMLElement;
  readonly context: FormContext | undefined;
}

export type SubmitTexts = Pick<FormTexts, 'give' | 'giveWithoutAmount' | 'recipientNote'>;

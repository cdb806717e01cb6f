import type { FailureReason } from '../donation/index.ts';
import { fillPlaceholders, type OptionalFieldTexts, type SubmissionTexts } from '../i18n/index.ts';
import { calculateTotals, type FormContext, type FormState } from './form-state.ts';
import type { OptionalFieldError } from './optional-fields.ts';
import { calculateSplit } from './split.ts';
import type { FormError } from './validation.ts';

export interface FieldError {
  readonly control: string;
  readonly message: string;
}

type MoneyFormat = (minor: number) => string;

/** Returns the message for an error that {@link validateForm} found. */
export function getFormErrorMessage(
  { control, code }: FormError,
  { settings, definition, decimalSeparator }: FormContext,
  formatMoney: MoneyFormat,
  texts: SubmissionTexts,
): string {
  const { minimum, maximum, decimals } = settings.currency;
  switch (code) {
    case 'not-an-amount':
      return fillPlaceholders(texts.amountInvalid, {
        example: decimals === 0 ? '4000' : `40${decimalSeparator}50`,
      });
    case 'too-small':
      return fillPlaceholders(texts.amountTooSmall, { minimum: formatMoney(minimum) });
    case 'too-large':
      return fillPlaceholders(texts.amountTooLarge, {
        maximum: formatMoney(maximum),
        contact: definition.organization.contact,
      });
    case 'not-an-email':
      return texts.emailInvalid;
    case 'missing':
      return control === 'amount' ? texts.amountRequired : texts.required[control];
  }
}

/** Returns the message for an error that {@link validateOptionalFields} found. */
export function getOptionalErrorMessage(
  { control, code, field }: OptionalFieldError,
  { state, context }: { readonly state: FormState; readonly context: FormContext },
  formatMoney: MoneyFormat,
  texts: { readonly submission: SubmissionTexts; readonly optionalFields: OptionalFieldTexts },
): string {
  const { submission, optionalFields } = texts;
  if (control === 'tribute.name') return optionalFields.tributeNameRequired;
  if (control === 'organization.name') return optionalFields.organizationNameRequired;
  if (control.startsWith('consent.')) return optionalFields.consentRequired;
  switch (code) {
    case 'missing':
      return control === 'split.projects'
        ? optionalFields.splitRequired
        : fillPlaceholders(optionalFields.fieldRequired, { field });
    case 'not-an-amount':
      return optionalFields.splitAmountInvalid;
    case 'wrong-total': {
      const amount = calculateTotals(state, context)?.amount;
      return fillPlaceholders(optionalFields.splitMismatch, {
        sum: formatMoney(calculateSplit(state, context, amount)?.total ?? 0),
        amount: formatMoney(amount ?? 0),
      });
    }
    case 'too-small':
      return optionalFields.splitTooSmall;
    case 'not-an-email':
      return submission.emailInvalid;
    case 'not-a-number':
      return fillPlaceholders(optionalFields.numberInvalid, {
        example: `12${context.decimalSeparator}5`,
      });
    case 'not-a-whole-number':
      return optionalFields.integerInvalid;
    case 'not-a-date':
      return optionalFields.dateInvalid;
    case 'not-a-link':
      return optionalFields.urlInvalid;
  }
}

/** Reasons for a failed donation that the donor can correct in a field. */
export type FieldFailure = Extract<
  FailureReason,
  'email-invalid' | 'amount-too-small' | 'amount-too-large'
>;

export function isFieldFailure(reason: FailureReason): reason is FieldFailure {
  return ['email-invalid', 'amount-too-small', 'amount-too-large'].includes(reason);
}

export function getFieldFailureError(reason: FieldFailure, texts: SubmissionTexts): FieldError {
  switch (reason) {
    case 'email-invalid':
      return { control: 'email', message: texts.emailInvalid };
    case 'amount-too-small':
      return { control: 'amount', message: texts.amountRejectedAsTooSmall };
    case 'amount-too-large':
      return { control: 'amount', message: texts.amountRejectedAsTooLarge };
  }
}

import type { FailureReason } from '../donation/index.ts';
import { type EntryTexts, fillPlaceholders, type OptionalFieldTexts } from '../i18n/index.ts';
import { calculateTotals, type FormContext, type FormState } from './form-state.ts';
import type { OptionalFieldError } from './optional-fields.ts';
import { calculateSplit } from './split.ts';
import type { FormError } from './validation.ts';

export interface FieldError {
  readonly control: string;
  readonly message: string;
}

const FORM_TEXTS = {
  'not-an-amount': 'amountInvalid',
  'too-small': 'amountTooSmall',
  'too-large': 'amountTooLarge',
  'not-an-email': 'emailInvalid',
} as const;

const OPTIONAL_TEXTS = {
  missing: 'fieldRequired',
  'not-an-amount': 'splitAmountInvalid',
  'wrong-total': 'splitMismatch',
  'too-small': 'splitTooSmall',
  'not-a-number': 'numberInvalid',
  'not-a-whole-number': 'integerInvalid',
  'not-a-date': 'dateInvalid',
  'not-a-link': 'urlInvalid',
} as const;

type MoneyFormat = (minor: number) => string;

export function getFormErrorMessage(
  { control, code }: FormError,
  { settings, definition, decimalSeparator }: FormContext,
  formatMoney: MoneyFormat,
  texts: EntryTexts,
): string {
  const { minimum, maximum, decimals } = settings.currency;
  if (code === 'missing')
    return control === 'amount' ? texts.amountRequired : texts.required[control];
  return fillPlaceholders(texts[FORM_TEXTS[code]], {
    example: decimals === 0 ? '4000' : `40${decimalSeparator}50`,
    minimum: formatMoney(minimum),
    maximum: formatMoney(maximum),
    contact: definition.organization.contact,
  });
}

export function getOptionalErrorMessage(
  { control, code, field }: OptionalFieldError,
  { state, context }: { readonly state: FormState; readonly context: FormContext },
  formatMoney: MoneyFormat,
  texts: { readonly submission: EntryTexts; readonly optionalFields: OptionalFieldTexts },
): string {
  const { submission, optionalFields } = texts;
  if (control === 'tribute.name') return optionalFields.tributeNameRequired;
  if (control === 'organization.name') return optionalFields.organizationNameRequired;
  if (control === 'giftAid.house') return optionalFields.giftAidHouseRequired;
  if (control === 'giftAid.postcode') return optionalFields.giftAidPostcodeInvalid;
  if (control.startsWith('consent.')) return optionalFields.consentRequired;
  if (control === 'split.projects' && code === 'missing') return optionalFields.splitRequired;
  if (code === 'not-an-email') return submission.emailInvalid;
  const amount = calculateTotals(state, context)?.amount;
  return fillPlaceholders(optionalFields[OPTIONAL_TEXTS[code]], {
    field,
    example: `12${context.decimalSeparator}5`,
    sum: formatMoney(calculateSplit(state, context, amount)?.total ?? 0),
    amount: formatMoney(amount ?? 0),
  });
}

/** Controls and texts of the failures that the donor can correct in a field. */
const FIELD_FAILURES = {
  'email-invalid': ['email', 'emailInvalid'],
  'amount-too-small': ['amount', 'amountRejectedAsTooSmall'],
  'amount-too-large': ['amount', 'amountRejectedAsTooLarge'],
} as const satisfies Partial<Record<FailureReason, [string, keyof EntryTexts]>>;
export type FieldFailure = keyof typeof FIELD_FAILURES;

export function isFieldFailure(reason: FailureReason): reason is FieldFailure {
  return Object.hasOwn(FIELD_FAILURES, reason);
}

export function getFieldFailureError(reason: FieldFailure, texts: EntryTexts): FieldError {
  const [control, name] = FIELD_FAILURES[reason];
  return { control, message: texts[name] };
}

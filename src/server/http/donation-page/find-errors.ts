import {
  findCardNumberControls,
  validateAddress,
  validateForm,
  validateOptionalFields,
  type AddressError,
  type FormError,
  type FormValues,
  type OptionalFieldError,
} from '@donation-form/core/form-state';
import { ADDRESS_FIELDS } from '@donation-form/core/donor';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { FailureReason } from '@donation-form/core/donation';
import { listControls, type PageForm } from './page-form.ts';

/** Validation message for a control. */
export interface FieldError {
  readonly control: string;
  readonly message: string;
}

/** Returns the form's validation errors in display order, at most one error per control. */
export function findErrors(form: PageForm, values: FormValues): FieldError[] {
  const { state, context, texts, addressFormat } = form;
  const { definition } = context;
  const asksForCountry = definition.donorFields.some(({ name }) => name === 'country');
  const isAddress = (control: string): boolean =>
    control === 'country' || ADDRESS_FIELDS.some((name) => name === control);
  const errors = [
    ...(isAmountAmbiguous(form, values)
      ? [{ control: 'amount', message: texts.submission.amountRequired }]
      : []),
    ...validateForm(state, context)
      .filter(({ control }) => !asksForCountry || !isAddress(control))
      .map((error) => ({ control: error.control, message: getErrorMessage(error, form) })),
    ...(asksForCountry
      ? validateAddress(state.donor, addressFormat, definition.donorFields).map((error) => ({
          control: error.control,
          message: getAddressErrorMessage(error, form),
        }))
      : []),
    ...validateOptionalFields(state, context).map((error) => ({
      control: error.control,
      message: getOptionalErrorMessage(error, form),
    })),
    ...findCardNumberControls(state, context).map((control) => ({
      control,
      message: texts.submission.cardNumberDetected,
    })),
    ...(asksForCountry && state.donor.country === '' && form.shownDonor.country
      ? [{ control: 'country', message: texts.submission.required.country }]
      : []),
  ];
  const controls = listControls(definition);
  return errors
    .filter(({ control }, index) => errors.findIndex((one) => one.control === control) === index)
    .sort((a, b) => controls.indexOf(a.control) - controls.indexOf(b.control));
}

/**
 * Returns true if the donor entered a custom amount and also selected a suggested amount other than
 * the default. Without a script, the page cannot determine which amount the donor chose last.
 */
function isAmountAmbiguous({ context, state }: PageForm, values: FormValues): boolean {
  const choice = values.amount?.[0];
  const { amount, giftArray } =
    context.settings.suggestedByFrequency[state.frequency] ?? context.settings;
  const option = giftArray[Number(choice)];
  return (
    state.amountChoice === 'custom' &&
    choice !== undefined &&
    choice !== 'custom' &&
    option !== undefined &&
    option.value !== amount
  );
}

/**
 * Returns the error for the field whose value the payment provider rejected, or `undefined` if the
 * failure has another reason.
 */
export function findRejectedField(
  reason: FailureReason | undefined,
  { texts: { submission } }: PageForm,
): FieldError | undefined {
  switch (reason) {
    case 'email-invalid':
      return { control: 'email', message: submission.emailInvalid };
    case 'amount-too-small':
      return { control: 'amount', message: submission.amountRejectedAsTooSmall };
    case 'amount-too-large':
      return { control: 'amount', message: submission.amountRejectedAsTooLarge };
    default:
      return undefined;
  }
}

function getErrorMessage(
  { control, code }: FormError,
  { context, texts, formatMoney }: PageForm,
): string {
  const { submission } = texts;
  const { minimum, maximum, decimals } = context.settings.currency;
  switch (code) {
    case 'not-an-amount':
      return fillPlaceholders(submission.amountInvalid, {
        example: decimals === 0 ? '4000' : `40${texts.form.decimalSeparator}50`,
      });
    case 'too-small':
      return fillPlaceholders(submission.amountTooSmall, { minimum: formatMoney(minimum) });
    case 'too-large':
      return fillPlaceholders(submission.amountTooLarge, {
        maximum: formatMoney(maximum),
        contact: context.definition.organization.contact,
      });
    case 'not-an-email':
      return submission.emailInvalid;
    case 'missing':
      return control === 'amount' ? submission.amountRequired : submission.required[control];
  }
}

function getAddressErrorMessage(
  { control, code }: AddressError,
  { texts: { form, submission, address }, addressFormat }: PageForm,
): string {
  if (code === 'missing') return submission.required[control];
  return fillPlaceholders(address.postalCodeInvalid, {
    field: form.fields[control],
    example: addressFormat?.postal?.example,
  });
}

function getOptionalErrorMessage(
  { control, code, field }: OptionalFieldError,
  { context, texts: { optionalFields, submission } }: PageForm,
): string {
  if (code === 'not-an-email') return submission.emailInvalid;
  if (control === 'tribute.name') return optionalFields.tributeNameRequired;
  if (control === 'organization.name') return optionalFields.organizationNameRequired;
  if (control.startsWith('consent.')) return optionalFields.consentRequired;
  switch (code) {
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
    default:
      return fillPlaceholders(optionalFields.fieldRequired, { field });
  }
}

import {
  findCardNumberControls,
  validateForm,
  type FormError,
} from '@donation-form/core/form-state';
import { fillPlaceholders, type SubmissionTexts } from '@donation-form/core/i18n';
import type { FormStore } from './form-store.ts';
import type { FieldError } from './view-model.ts';
import type { FieldFailure } from '../submission/submission-machine.ts';
import { toArray } from '../page/to-array.ts';

/** Returns a form's validation errors, in field order. */
export function getFieldErrors(form: FormStore, texts: SubmissionTexts): FieldError[] {
  const { state, session, context, element } = form;
  const { optionalSections } = session!;
  const ownErrors = validateForm(state, context!)
    .filter(({ control }) => !optionalSections?.address?.hasControl(control))
    .map((error) => ({
      control: error.control,
      message: getErrorMessage(error, form, texts),
    }));
  const controlNames = toArray(element.shadowRoot!.querySelector('form')?.elements ?? []).map(
    (control) => control.getAttribute('name'),
  );
  const cardNumberErrors = findCardNumberControls(state, context!)
    .filter((control) => controlNames.includes(control))
    .map((control) => ({ control, message: texts.cardNumberDetected }));
  return [
    ...ownErrors,
    ...(optionalSections?.findErrors(form, texts) ?? []),
    ...cardNumberErrors,
  ].sort((a, b) => controlNames.indexOf(a.control) - controlNames.indexOf(b.control));
}

/** Returns the error for a field that the payment provider rejected. */
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

function getErrorMessage(
  { control, code }: FormError,
  { context, session, formatMoney }: FormStore,
  texts: SubmissionTexts,
): string {
  const {
    settings: {
      currency: { minimum, maximum, decimals },
    },
    definition: {
      organization: { contact },
    },
  } = context!;
  if (code === 'not-an-amount')
    return fillPlaceholders(texts.amountInvalid, {
      example: decimals === 0 ? '4000' : `40${session!.texts.decimalSeparator}50`,
    });
  if (code === 'too-small')
    return fillPlaceholders(texts.amountTooSmall, { minimum: formatMoney(minimum) });
  if (code === 'too-large')
    return fillPlaceholders(texts.amountTooLarge, { maximum: formatMoney(maximum), contact });
  if (code === 'not-an-email') return texts.emailInvalid;
  return control === 'amount' ? texts.amountRequired : texts.required[control];
}

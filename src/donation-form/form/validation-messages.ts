import {
  findCardNumberControls,
  getFormErrorMessage,
  validateForm,
  type FieldError,
} from '@donation-form/core/form-state';
import type { SubmissionTexts } from '@donation-form/core/i18n';
import type { FormStore } from './form-store.ts';
import { toArray } from '../page/to-array.ts';

export function getFieldErrors(form: FormStore, texts: SubmissionTexts): FieldError[] {
  const { state, session, context, element, formatMoney } = form;
  const { optionalSections } = session!;
  const ownErrors = validateForm(state, context!)
    .filter(({ control }) => !optionalSections?.address?.hasControl(control))
    .map((error) => ({
      control: error.control,
      message: getFormErrorMessage(error, context!, formatMoney, texts),
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

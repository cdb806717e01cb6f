import { html, type TemplateResult } from 'lit';
import {
  type FieldError,
  findCardNumberControls,
  getFormErrorMessage,
  validateForm,
} from '@donation-form/core/form-state';
import { formatPlural } from '@donation-form/core/i18n';
import type { FormStore } from '../form/form-store.ts';
import { runWhenReleased } from '../page/run-when-released.ts';
import { toArray } from '../page/to-array.ts';
import { focusControl } from './form-focus.ts';
import { getEntryTexts } from './submission-context.ts';

export function findFieldErrors(form: FormStore): FieldError[] {
  const { state, session, context, element, formatMoney } = form;
  const { optionalSections, address } = session!;
  const texts = getEntryTexts(form);
  const ownErrors = validateForm(state, context!)
    .filter(({ control }) => !address?.hasControl(control))
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
    ...(address?.findErrors(form) ?? []),
    ...(optionalSections?.findErrors(form, texts) ?? []),
    ...cardNumberErrors,
  ].sort((a, b) => controlNames.indexOf(a.control) - controlNames.indexOf(b.control));
}

/** Validates the amount or email, or checks a text field for card numbers, but not a choice. */
export function validateOnBlur(
  form: FormStore,
  input: HTMLInputElement,
  mayBePressing: boolean,
): void {
  if (input.type !== 'radio')
    runWhenReleased(form.element.shadowRoot!, mayBePressing, () => validateInput(form, input));
}

function validateInput(form: FormStore, { name, value, isConnected }: HTMLInputElement): void {
  const control = name === 'customAmount' ? 'amount' : name;
  if (
    value === '' ||
    !isConnected ||
    !(
      ['customAmount', 'email'].includes(name) ||
      findCardNumberControls(form.state, form.context!).includes(control)
    )
  )
    return;
  updateFieldErrors(form, control);
}

/** Updates the displayed errors. Shows no errors of other controls, except of `added`. */
export function updateFieldErrors(form: FormStore, added?: string): void {
  const controls = [added, ...form.fieldErrors.map(({ control }) => control)];
  const fieldErrors = findFieldErrors(form).filter(({ control }) => controls.includes(control));
  const { notice } = form;
  void form.update({
    fieldErrors,
    ...(notice === 'problems' && {
      notice: fieldErrors.length > 0 ? notice : undefined,
      noticeText: renderErrorSummary(form, fieldErrors),
    }),
  });
}

export function showErrorSummary(form: FormStore, fieldErrors: readonly FieldError[]): void {
  const noticeText = renderErrorSummary(form, fieldErrors);
  void form.update({ fieldErrors, notice: 'problems', noticeText });
}

/** Screen readers announce the summary when it appears, but not after each correction. */
function renderErrorSummary(form: FormStore, fieldErrors: readonly FieldError[]): TemplateResult {
  return html`<div aria-live="off"><strong .textContent=${formatPlural(
    getEntryTexts(form).errorSummary,
    fieldErrors.length,
    form.session!.language,
  )}></strong><ul>${fieldErrors.map(
    ({ control, message }) => html`<li><button
      type="button"
      class="link"
      @click=${() => focusControl(form, control)}
    ><span .textContent=${message}></span></button></li>`,
  )}</ul></div>`;
}

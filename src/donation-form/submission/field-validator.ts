import { html, type TemplateResult } from 'lit';
import {
  type FieldError,
  findCardNumberControls,
  getFormErrorMessage,
  validateForm,
} from '@donation-form/core/form-state';
import { formatPlural, type SubmissionTexts } from '@donation-form/core/i18n';
import type { FormStore } from '../form/form-store.ts';
import { runWhenReleased } from '../page/run-when-released.ts';
import { toArray } from '../page/to-array.ts';
import { focusControl } from './form-focus.ts';

export class FieldValidator {
  readonly #form: FormStore;
  readonly #texts: SubmissionTexts;

  constructor(form: FormStore, texts: SubmissionTexts) {
    this.#form = form;
    this.#texts = texts;
  }

  findErrors(): FieldError[] {
    const { state, session, context, element, formatMoney } = this.#form;
    const { optionalSections } = session!;
    const ownErrors = validateForm(state, context!)
      .filter(({ control }) => !optionalSections?.address?.hasControl(control))
      .map((error) => ({
        control: error.control,
        message: getFormErrorMessage(error, context!, formatMoney, this.#texts),
      }));
    const controlNames = toArray(element.shadowRoot!.querySelector('form')?.elements ?? []).map(
      (control) => control.getAttribute('name'),
    );
    const cardNumberErrors = findCardNumberControls(state, context!)
      .filter((control) => controlNames.includes(control))
      .map((control) => ({ control, message: this.#texts.cardNumberDetected }));
    return [
      ...ownErrors,
      ...(optionalSections?.findErrors(this.#form, this.#texts) ?? []),
      ...cardNumberErrors,
    ].sort((a, b) => controlNames.indexOf(a.control) - controlNames.indexOf(b.control));
  }

  /** Validates the amount or email, or checks a text field for card numbers, but not a choice. */
  validateOnBlur(input: HTMLInputElement, mayBePressing: boolean): void {
    if (input.type !== 'radio')
      runWhenReleased(this.#form.element.shadowRoot!, mayBePressing, () =>
        this.#validateInput(input),
      );
  }

  #validateInput(input: HTMLInputElement): void {
    const { name, value, isConnected } = input;
    const control = name === 'customAmount' ? 'amount' : name;
    if (
      value === '' ||
      !isConnected ||
      !(
        ['customAmount', 'email'].includes(name) ||
        findCardNumberControls(this.#form.state, this.#form.context!).includes(control)
      )
    )
      return;
    this.showErrorsOfControls(
      (candidate) =>
        candidate === control || this.#form.fieldErrors.some((error) => error.control === control),
    );
  }

  showErrorsOfControls(isIncluded: (control: string) => boolean): void {
    const { notice } = this.#form;
    const fieldErrors = this.findErrors().filter(({ control }) => isIncluded(control));
    void this.#form.update({
      fieldErrors,
      ...(notice === 'problems' && {
        notice: fieldErrors.length > 0 ? notice : undefined,
        noticeText: this.#renderErrorSummary(fieldErrors),
      }),
    });
  }

  showErrorSummary(fieldErrors: readonly FieldError[]): void {
    const noticeText = this.#renderErrorSummary(fieldErrors);
    void this.#form.update({ fieldErrors, notice: 'problems', noticeText });
  }

  /** Screen readers announce the summary when it appears, but not after each correction. */
  #renderErrorSummary(fieldErrors: readonly FieldError[]): TemplateResult {
    const { errorSummary } = this.#texts;
    return html`<div aria-live="off"><strong .textContent=${formatPlural(
      errorSummary,
      fieldErrors.length,
      this.#form.session!.language,
    )}></strong><ul>${fieldErrors.map(
      ({ control, message }) => html`<li><button
        type="button"
        class="link"
        @click=${() => focusControl(this.#form, control)}
      ><span .textContent=${message}></span></button></li>`,
    )}</ul></div>`;
  }
}

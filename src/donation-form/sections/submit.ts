import { html, nothing, type TemplateResult } from 'lit';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { OptionalSections } from './optional-sections.ts';
import type { SubmitTexts, View } from '../form/view-model.ts';
import { errorIcon } from './field-error.ts';

/** @param replacement shown instead of the payment field. */
export function renderPayment(
  view: View,
  optionalSections: OptionalSections | undefined,
  replacement: TemplateResult | undefined,
): TemplateResult {
  return html`
    <fieldset part="payment">
      <legend>${view.texts.payment}</legend>
      ${optionalSections?.renderProviderChoice(view)}
      <slot name="payment">${replacement}</slot>
    </fieldset>`;
}

/** Renders the notice, the submit button with the total, and the text below it. */
export function renderSubmit(
  {
    texts,
    context: {
      definition: { organization },
    },
    state,
    totals,
    formatMoney,
    isSending,
    progressMessage,
    notice,
    noticeText,
    fieldErrors,
  }: View,
  focusControl: (control: string) => void,
  { give, giveWithoutAmount, recipientNote }: SubmitTexts = texts,
): TemplateResult {
  const label = totals
    ? fillPlaceholders(give, {
        amount: fillPlaceholders(texts.amountsByFrequency[state.frequency], {
          amount: formatMoney(totals.total),
        }),
      })
    : giveWithoutAmount;
  return html`
    <div class="submit">
      <div role="alert">${
        notice
          ? html`
        <div class="notice" part="notice" id="notice" tabindex="-1">${errorIcon}<div>${noticeText}${
          notice === 'problems'
            ? html`
          <ul>${fieldErrors.map(
            ({ control, message }) => html`<li><button
              type="button"
              class="link"
              @click=${() => focusControl(control)}
            >${message}</button></li>`,
          )}</ul>`
            : nothing
        }</div></div>`
          : nothing
      }</div>
      <span class="visually-hidden" role="status">${isSending ? progressMessage : nothing}</span>
      <button type="submit" class="primary" part="button" aria-disabled=${isSending ? 'true' : nothing}>
        ${isSending ? html`<span class="spinner" aria-hidden="true"></span>${progressMessage}` : label}
      </button>
      <p class="disclaimer hint">${fillPlaceholders(recipientNote, { organization: organization.name })}</p>
    </div>`;
}

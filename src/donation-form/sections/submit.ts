import { html, nothing, type TemplateResult } from 'lit';
import { getSelectedOffer, type Totals } from '@donation-form/core/form-state';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { FormStore } from '../form/form-store.ts';
import type { SubmitTexts, View } from '../form/view-model.ts';
import { renderFeeCover } from './fee-cover.ts';
import { errorIcon } from './field-error.ts';

export function isFieldLoading({ state, context }: View, { isPaymentLoading }: FormStore): boolean {
  return isPaymentLoading && getSelectedOffer(state, context.definition).hasField;
}

export function renderPayment(
  view: View,
  optionalSections: typeof import('./optional-sections.ts') | undefined,
  form: FormStore,
): TemplateResult {
  const field = html`<div class="payment-field">${
    isFieldLoading(view, form) ? html`<div class="bone"></div>` : nothing
  }<slot name="payment">${form.paymentReplacement}</slot></div>`;
  return html`
    <fieldset part="payment">
      <legend>${view.texts.payment}</legend>
      ${optionalSections?.renderPaymentMethods(view, field, form) ?? field}
      ${view.state.feeRate ? renderFeeCover(view) : nothing}
    </fieldset>`;
}

export function renderSubmit(
  view: View,
  summary: TemplateResult | undefined,
  isDisabled: boolean,
  texts: SubmitTexts = view.texts,
): TemplateResult {
  const { context, totals, notice, noticeText, isSending, progressMessage } = view;
  const label = getGiveLabel(view, totals, texts);
  return html`
    <div class="submit">
      <div role="alert">${
        notice
          ? html`
        <div class="notice" part="notice" id="notice" tabindex="-1">${errorIcon}<div>${noticeText}</div></div>`
          : nothing
      }</div>
      <span class="visually-hidden" role="status" .textContent=${isSending ? progressMessage : ''}></span>
      <div class="summary" translate="no">${summary}</div>
      <button type="submit" class="primary" part="button" translate="no" aria-disabled=${isDisabled ? 'true' : nothing}>
        ${isSending ? html`<span class="spinner" aria-hidden="true"></span>` : nothing}<span .textContent=${isSending ? progressMessage : label}></span>
      </button>
      <p class="disclaimer hint" .textContent=${fillPlaceholders(texts.recipientNote, { organization: context.definition.organization.name })}></p>
    </div>`;
}

function getGiveLabel(
  { texts, state, formatMoney }: View,
  totals: Totals | undefined,
  { give, giveWithoutAmount }: Omit<SubmitTexts, 'recipientNote'> = texts,
): string {
  if (!totals) return giveWithoutAmount;
  const amount = formatMoney(totals.total);
  return fillPlaceholders(give, {
    amount: fillPlaceholders(texts.amountsByFrequency[state.frequency], { amount }),
  });
}

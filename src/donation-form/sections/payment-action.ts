import { html, nothing, type TemplateResult } from 'lit';
import { fillPlaceholders, type SubmissionTexts } from '@donation-form/core/i18n';
import type { FormStore, OutcomePhase } from '../form/form-store.ts';
import { renderEarlierDonationNotice, renderReference } from '../thank-you/thank-you.ts';
import { errorIcon } from './field-error.ts';
import { renderRequestId } from './request-id.ts';

/** Renders a donation that the donor must complete with their bank or the payment provider. */
export function renderPaymentAction(
  { outcome, isEarlier, step, requestId: request }: OutcomePhase,
  form: FormStore,
  texts: SubmissionTexts,
  chooseStep: (step: 'confirm' | 'cancel') => void,
): TemplateResult {
  const { reference, gift } = outcome;
  const formTexts = form.texts;
  const { organization } = form.context!.definition;
  const isBusy = step === 'confirm' || step === 'cancel';
  const spinner = html`<span class="spinner" aria-hidden="true"></span>`;
  return html`
    <div class="screen" part="requires-action">
      <svg
        class="status-icon waiting"
        viewBox="0 0 48 48"
        aria-hidden="true"
      ><circle cx="24" cy="24" r="22"/><path d="M24 13v12l7 5"/></svg>
      <h2 tabindex="-1">${texts.actionTitle}</h2>
      <div class="total" translate="no" .textContent=${fillPlaceholders(
        formTexts.amountsByFrequency[gift.frequency],
        { amount: form.formatMoney(gift.total, gift.currency) },
      )}></div>
      ${step === 'network-error' ? nothing : html`<p>${texts.actionDescription}</p>`}
      ${renderEarlierDonationNotice(isEarlier, texts)}
      <div role="alert">${
        step === 'network-error'
          ? html`<p class="notice" part="notice">${errorIcon}<span>${fillPlaceholders(
              texts.actionNetworkError,
              { organization: organization.name },
            )}${renderRequestId(request, texts)}</span></p>`
          : nothing
      }</div>
      <span class="visually-hidden" role="status">${isBusy ? formTexts.sending : nothing}</span>
      <div class="steps">
        <button
          type="button"
          class="primary"
          part="button"
          aria-disabled=${isBusy ? 'true' : nothing}
          @click=${() => chooseStep('confirm')}
        >${step === 'confirm' ? spinner : nothing}${texts.actionContinue}</button>
        <button
          type="button"
          class="secondary"
          aria-disabled=${isBusy ? 'true' : nothing}
          @click=${() => chooseStep('cancel')}
        >${step === 'cancel' ? spinner : nothing}${texts.actionCancel}</button>
      </div>
      ${renderReference(reference, form, texts)}
    </div>`;
}

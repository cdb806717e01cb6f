import { html, nothing, type TemplateResult } from 'lit';
import type { Outcome } from '@donation-form/core/schemas';
import { type SendingTexts, fill } from '@donation-form/core/i18n';
import type { FormController, Phase } from '../form/form-controller.ts';
import { earlierNotice, mention, referenceLine } from '../thank-you/thank-you.ts';
import { problemSign } from './field-error.ts';

/** A gift for which the donor has to do something yet, at the bank or on the payment page. */
export function actionScreen(
  { outcome, isEarlier, step, request }: Extract<Phase, { outcome: Outcome }>,
  live: FormController,
  texts: SendingTexts,
  take: (step: 'confirm' | 'cancel') => void,
): TemplateResult {
  const { reference, gift } = outcome;
  const form = live.loader!.texts;
  const { organization } = live.context!.definition;
  const isBusy = step === 'confirm' || step === 'cancel';
  const spinner = html`<span class="spinner" aria-hidden="true"></span>`;
  return html`
    <div class="screen" part="action">
      <svg class="tick waits" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="M24 13v12l7 5"/></svg>
      <h2 tabindex="-1">${texts.actionTitle}</h2>
      <div class="sum">${fill(form.gifts[gift.frequency], { total: live.formatMoney(gift.total, gift.currency) })}</div>
      ${step === 'no-answer' ? nothing : html`<p>${texts.action}</p>`}
      ${earlierNotice(isEarlier, texts)}
      <div role="alert">${step === 'no-answer' ? html`<p class="notice" part="notice">${problemSign}<span>${fill(texts.actionUnknown, { organization: organization.name })}${mention(request, texts)}</span></p>` : nothing}</div>
      <span class="unseen" role="status">${isBusy ? form.sending : nothing}</span>
      <div class="steps">
        <button type="button" class="strong" part="button" aria-disabled=${isBusy ? 'true' : nothing} @click=${() => take('confirm')}>${step === 'confirm' ? spinner : nothing}${texts.actionContinue}</button>
        <button type="button" class="quiet" aria-disabled=${isBusy ? 'true' : nothing} @click=${() => take('cancel')}>${step === 'cancel' ? spinner : nothing}${texts.actionCancel}</button>
      </div>
      ${referenceLine(reference, live, texts)}
    </div>`;
}

import { html, nothing, type TemplateResult } from 'lit';
import type { Notice, View } from '../view.ts';
import { problemSign } from './field-problem.ts';

export function paymentSection({ texts }: View): TemplateResult {
  return html`
    <fieldset part="payment">
      <legend>${texts.payment}</legend>
      <slot name="payment"></slot>
    </fieldset>`;
}

/** The announcements, the button that says what will be charged, and who receives it. */
export function finishSection(view: View): TemplateResult {
  const { texts, offer: { definition: { organization } }, state, sums, money, isSending, notice } = view;
  return html`
    <div class="finish">
      <div role="alert">${notice ? html`<p class="notice" part="notice" id="notice" tabindex="-1">${problemSign}<span>${noticeText(view, notice)}</span></p>` : nothing}</div>
      <span class="unseen" role="status">${isSending ? texts.sending : nothing}</span>
      <button type="submit" part="button" aria-disabled=${isSending ? 'true' : nothing}>
        ${isSending ? html`<span class="spinner" aria-hidden="true"></span>${texts.sending}`
    : sums ? texts.give(money(sums.total), texts.rhythms[state.frequency]) : texts.giveWithoutAmount}
      </button>
      <p class="promise hint">${texts.promise(organization.name)}</p>
    </div>`;
}

function noticeText({ texts, sendingTexts, offer: { definition: { organization: { name, contact } } } }: View, notice: Notice): string {
  if (typeof notice === 'object') return texts.problems(notice.problems);
  return notice === 'payment-unavailable' || !sendingTexts ? texts.paymentUnavailable : sendingTexts.notices[notice](name, contact);
}

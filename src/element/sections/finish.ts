import { html, nothing, type TemplateResult } from 'lit';
import type { Notice, View } from '../view.ts';

export function paymentSection({ texts }: View): TemplateResult {
  return html`
    <fieldset part="payment">
      <legend>${texts.payment}</legend>
      <slot name="payment"></slot>
    </fieldset>`;
}

/** The announcements, the button that says what will be charged, and who receives it. */
export function finishSection(view: View): TemplateResult {
  const { texts, offer: { definition: { organization } }, state, sums, money, isSending, notice, problems } = view;
  const announcement = notice ? noticeText(view, notice) : problems.length > 0 ? texts.problems(problems.length) : undefined;
  return html`
    <div class="finish">
      <div role="alert">${announcement ? html`<p class="notice" part="notice" id="notice" tabindex="-1">${announcement}</p>` : nothing}</div>
      <button type="submit" part="button" aria-disabled=${isSending ? 'true' : nothing}>
        ${isSending ? html`<span class="spinner" aria-hidden="true"></span>${texts.sending}`
    : sums ? texts.give(money(sums.total), texts.rhythms[state.frequency]) : texts.giveWithoutAmount}
      </button>
      <p class="promise hint">${texts.promise(organization.name)}</p>
    </div>`;
}

function noticeText({ texts, offer: { definition: { organization } } }: View, notice: Notice): string {
  const words: Readonly<Record<Notice, string>> = {
    'card-incomplete': texts.cardIncomplete,
    'card-failed': texts.cardFailed,
    'payment-unavailable': texts.paymentUnavailable,
    'card-declined': texts.declined,
    'not-charged': texts.notCharged,
    'no-answer': texts.noAnswer(organization.name),
    'definition-changed': texts.definitionChanged,
    refused: texts.refused(organization.contact),
  };
  return words[notice];
}

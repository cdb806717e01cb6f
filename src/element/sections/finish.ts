import { html, nothing, type TemplateResult } from 'lit';
import { fill } from '../../texts/fill.ts';
import type { View } from '../view.ts';
import { problemSign } from './field-problem.ts';

export function paymentSection({ texts }: View): TemplateResult {
  return html`
    <fieldset part="payment">
      <legend>${texts.payment}</legend>
      <slot name="payment"></slot>
    </fieldset>`;
}

/** The announcements, the button that says what will be charged, and who receives it. */
export function finishSection({ texts, offer: { definition: { organization } }, state, sums, money, isSending, notice, noticeText, flags }: View, lead: (control: string) => void): TemplateResult {
  return html`
    <div class="finish">
      <div role="alert">${notice ? html`
        <div class="notice" part="notice" id="notice" tabindex="-1">${problemSign}<div>${noticeText}${notice === 'problems' ? html`
          <ul>${flags.map(({ control, message }) => html`<li><button type="button" class="link" @click=${() => lead(control)}>${message}</button></li>`)}</ul>` : notice.startsWith('card') ? html`
          <ul><li><button type="button" class="link" @click=${() => lead('payment')}>${texts.payment}</button></li></ul>` : nothing}</div></div>` : nothing}</div>
      <span class="unseen" role="status">${isSending ? texts.sending : nothing}</span>
      <button type="submit" part="button" aria-disabled=${isSending ? 'true' : nothing}>
        ${isSending ? html`<span class="spinner" aria-hidden="true"></span>${texts.sending}`
    : sums ? fill(texts.give, { gift: fill(texts.gifts[state.frequency], { total: money(sums.total) }) }) : texts.giveWithoutAmount}
      </button>
      <p class="promise hint">${fill(texts.promise, { organization: organization.name })}</p>
    </div>`;
}

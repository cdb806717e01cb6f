import { html, nothing, type TemplateResult } from 'lit';
import { fill } from '../../texts/fill.ts';
import type { More } from '../more.ts';
import type { View } from '../view.ts';
import { problemSign } from './field-problem.ts';

/**
 * @param more the ways to pay, where there are several.
 * @param aside what stands in the place of the field.
 */
export function paymentSection(
  view: View,
  more: More | undefined,
  aside: TemplateResult | undefined,
): TemplateResult {
  return html`
    <fieldset part="payment">
      <legend>${view.texts.payment}</legend>
      ${more?.ways(view)}
      <slot name="payment">${aside}</slot>
    </fieldset>`;
}

/** The announcements, the button that says what will be charged, and who receives it. */
export function finishSection(
  {
    texts,
    offer: {
      definition: { organization },
    },
    state,
    sums,
    money,
    isSending,
    waiting,
    notice,
    noticeText,
    flags,
  }: View,
  lead: (control: string) => void,
  promise = texts.promise,
): TemplateResult {
  return html`
    <div class="finish">
      <div role="alert">${
        notice
          ? html`
        <div class="notice" part="notice" id="notice" tabindex="-1">${problemSign}<div>${noticeText}${
          notice === 'problems'
            ? html`
          <ul>${flags.map(({ control, message }) => html`<li><button type="button" class="link" @click=${() => lead(control)}>${message}</button></li>`)}</ul>`
            : notice.startsWith('card')
              ? html`
          <ul><li><button type="button" class="link" @click=${() => lead('payment')}>${texts.payment}</button></li></ul>`
              : nothing
        }</div></div>`
          : nothing
      }</div>
      <span class="unseen" role="status">${isSending ? waiting : nothing}</span>
      <button type="submit" class="strong" part="button" aria-disabled=${isSending ? 'true' : nothing}>
        ${
          isSending
            ? html`<span class="spinner" aria-hidden="true"></span>${waiting}`
            : sums
              ? fill(texts.give, {
                  gift: fill(texts.gifts[state.frequency], { total: money(sums.total) }),
                })
              : texts.giveWithoutAmount
        }
      </button>
      <p class="promise hint">${fill(promise, { organization: organization.name })}</p>
    </div>`;
}

import { html, nothing, type TemplateResult } from 'lit';
import { fill } from '@donation-form/core/i18n';
import type { OptionalSections } from './optional-sections.ts';
import type { View } from '../form/view-model.ts';
import { problemSign } from './field-error.ts';

/**
 * @param more the ways to pay, where there are several.
 * @param aside what stands in the place of the field.
 */
export function paymentSection(
  view: View,
  more: OptionalSections | undefined,
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
    context: {
      definition: { organization },
    },
    state,
    sums,
    formatMoney,
    isSending,
    progressMessage,
    notice,
    noticeText,
    fieldErrors,
  }: View,
  lead: (control: string) => void,
  promise = texts.promise,
): TemplateResult {
  const links = linksOf(notice, fieldErrors, texts);
  const label = sums
    ? fill(texts.give, {
        gift: fill(texts.gifts[state.frequency], { total: formatMoney(sums.total) }),
      })
    : texts.giveWithoutAmount;
  return html`
    <div class="finish">
      <div role="alert">${
        notice
          ? html`
        <div class="notice" part="notice" id="notice" tabindex="-1">${problemSign}<div>${noticeText}${
          links
            ? html`
          <ul>${links.map(({ control, message }) => html`<li><button type="button" class="link" @click=${() => lead(control)}>${message}</button></li>`)}</ul>`
            : nothing
        }</div></div>`
          : nothing
      }</div>
      <span class="unseen" role="status">${isSending ? progressMessage : nothing}</span>
      <button type="submit" class="strong" part="button" aria-disabled=${isSending ? 'true' : nothing}>
        ${isSending ? html`<span class="spinner" aria-hidden="true"></span>${progressMessage}` : label}
      </button>
      <p class="promise hint">${fill(promise, { organization: organization.name })}</p>
    </div>`;
}

/** The fields that a notice leads to; `undefined` where it is about none. */
function linksOf(
  notice: View['notice'],
  fieldErrors: View['fieldErrors'],
  texts: View['texts'],
): View['fieldErrors'] | undefined {
  if (notice === 'problems') return fieldErrors;
  return notice?.startsWith('card') ? [{ control: 'payment', message: texts.payment }] : undefined;
}

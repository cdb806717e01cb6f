import { html, nothing, type TemplateResult } from 'lit';
import type { FormTexts } from '@donation-form/core/i18n';

/** Shown until the form's definition is there: blocks of the real sizes. */
export function loadingScreen(texts: FormTexts | undefined): TemplateResult {
  return html`
    <div class="skeleton" role="status">
      <span class="unseen">${texts?.loading}</span>
      <div class="bone row"></div>
      <div class="bones">${[1, 2, 3, 4, 5, 6].map(() => html`<div class="bone tile"></div>`)}</div>
      ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => html`<div class="bone row"></div>`)}
    </div>`;
}

/**
 * Shown where the form cannot be: what the page put into the element, usually a link, stays in
 * sight.
 */
export function unavailableScreen(
  texts: FormTexts,
  isInsecure: boolean,
  tryAgain: () => void,
): TemplateResult {
  return html`
    <div class="screen" role="alert">
      <p id="unavailable" tabindex="-1">${isInsecure ? texts.insecure : texts.unavailable}</p>
      <slot></slot>
      ${isInsecure ? nothing : html`<button class="quiet" type="button" @click=${tryAgain}>${texts.tryAgain}</button>`}
    </div>`;
}

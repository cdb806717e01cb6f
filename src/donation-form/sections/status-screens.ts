import { html, nothing, type TemplateResult } from 'lit';
import type { FormTexts } from '@donation-form/core/i18n';

/** Renders a skeleton in the form's dimensions. */
export function renderLoading(texts: FormTexts | undefined): TemplateResult {
  return html`
    <div class="skeleton" role="status">
      <span class="visually-hidden">${texts?.loading}</span>
      <div class="bone row"></div>
      <div class="bones">${[1, 2, 3, 4, 5, 6].map(() => html`<div class="bone tile"></div>`)}</div>
      ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => html`<div class="bone row"></div>`)}
    </div>`;
}

/** Renders an error message and the element's fallback content, usually a link. */
export function renderUnavailable(
  texts: FormTexts,
  isInsecure: boolean,
  onRetry: () => void,
): TemplateResult {
  return html`
    <div class="screen" role="alert">
      <p id="unavailable" tabindex="-1">${isInsecure ? texts.insecurePage : texts.unavailable}</p>
      <slot></slot>
      ${
        isInsecure
          ? nothing
          : html`<button class="secondary" type="button" @click=${onRetry}>${texts.tryAgain}</button>`
      }
    </div>`;
}

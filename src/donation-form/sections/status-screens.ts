import { html, nothing, type TemplateResult } from 'lit';
import type { FormTexts } from '@donation-form/core/i18n';

/** Comma-separated CSS classes of the skeleton bars, one string per section. */
const SKELETON = ['', 'third,third,third,third,third,third', '', 'half,half', 'half,half,', ','];

export function renderLoading(texts: FormTexts | undefined): TemplateResult {
  return html`
    <div class="skeleton" role="status">
      <span class="visually-hidden">${texts?.loading}</span>
      ${SKELETON.map(renderSkeletonRow)}
      <div class="bone"></div>
    </div>`;
}

/** @param classes comma-separated CSS classes of the bars. */
function renderSkeletonRow(classes: string): TemplateResult {
  return html`<div class="bones">${classes
    .split(',')
    .map((name) => html`<div class="bone ${name}"></div>`)}</div>`;
}

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

import { html, type TemplateResult } from 'lit';
import { errorIcon } from '@donation-form/donation-form/internal';

const checkIcon = html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.5 5.2L7.2 10.9 4.6 8.4l1-1.1 1.5 1.4 3.2-3.5 1.2 1Z"/></svg>`;

export function renderProblem(content: string | TemplateResult): TemplateResult {
  return html`<p class="problem">${errorIcon}<span>${content}</span></p>`;
}

export function renderSuccess(content: string | TemplateResult): TemplateResult {
  return html`<p class="good">${checkIcon}<span>${content}</span></p>`;
}

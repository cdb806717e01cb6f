import { html, type TemplateResult } from 'lit';
import { errorIcon } from '@donation-form/donation-form/internal';
import { checkIcon } from './check-icon.ts';

export function renderProblem(content: string | TemplateResult): TemplateResult {
  return html`<p class="problem">${errorIcon}<span>${content}</span></p>`;
}

export function renderSuccess(content: string | TemplateResult): TemplateResult {
  return html`<p class="good">${checkIcon}<span>${content}</span></p>`;
}

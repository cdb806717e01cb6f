import { html, nothing, type TemplateResult } from 'lit';
import { errorIcon } from '@donation-form/donation-form/internal';

export interface FieldOptions {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly isHalfWidth?: boolean;
}

/** Renders a control with its label, hint, and error message. */
export function renderField(
  { id, label, hint, problem, isHalfWidth = false }: FieldOptions,
  renderControl: (
    describedBy: string | typeof nothing,
    isInvalid: 'true' | typeof nothing,
  ) => TemplateResult,
): TemplateResult {
  const hintId = `${id}-hint`;
  const problemId = `${id}-problem`;
  const describedBy = [
    ...(hint === undefined ? [] : [hintId]),
    ...(problem === undefined ? [] : [problemId]),
  ].join(' ');
  return html`
    <div class="field ${isHalfWidth ? 'half' : ''}">
      <label for=${id}>${label}</label>
      ${hint === undefined ? nothing : html`<p class="hint" id=${hintId}>${hint}</p>`}
      ${renderControl(describedBy || nothing, problem === undefined ? nothing : 'true')}
      ${
        problem === undefined
          ? nothing
          : html`<p class="problem" id=${problemId}>${errorIcon}<span>${problem}</span></p>`
      }
    </div>`;
}

const checkIcon = html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.5 5.2L7.2 10.9 4.6 8.4l1-1.1 1.5 1.4 3.2-3.5 1.2 1Z"/></svg>`;

export function renderProblem(content: string | TemplateResult): TemplateResult {
  return html`<p class="problem">${errorIcon}<span>${content}</span></p>`;
}

export function renderSuccess(content: string | TemplateResult): TemplateResult {
  return html`<p class="good">${checkIcon}<span>${content}</span></p>`;
}

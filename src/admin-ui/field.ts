import { html, nothing, type TemplateResult } from 'lit';
import { errorIcon } from '@donation-form/donation-form/internal';

export interface FieldOptions {
  /** HTML ID of the control. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Error message for the entered value. */
  readonly problem?: string | undefined;
  readonly isHalfWidth?: boolean;
}

/**
 * Renders a control with its label, hint, and error message.
 * @param renderControl function that renders the control with the given values for
 * `aria-describedby` and `aria-invalid`.
 */
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

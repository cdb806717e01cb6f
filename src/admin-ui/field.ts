import { html, nothing, type TemplateResult } from 'lit';
import { problemSign } from '@donation-form/donation-form/internal';

export interface FieldWords {
  /** The control's. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with what stands in it. */
  readonly problem?: string | undefined;
  readonly isHalf?: boolean;
}

/**
 * A control with its label, its hint, and what is wrong with what stands in it.
 * @param control draws it: what describes it are ids.
 */
export function field(
  { id, label, hint, problem, isHalf = false }: FieldWords,
  control: (
    describedBy: string | typeof nothing,
    isInvalid: 'true' | typeof nothing,
  ) => TemplateResult,
): TemplateResult {
  const describedBy = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ].join(' ');
  return html`
    <div class="field ${isHalf ? 'half' : ''}">
      <label for=${id}>${label}</label>
      ${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}
      ${control(describedBy || nothing, problem === undefined ? nothing : 'true')}
      ${problem === undefined ? nothing : html`<p class="problem" id="${id}-problem">${problemSign}<span>${problem}</span></p>`}
    </div>`;
}

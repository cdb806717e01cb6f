import { html, nothing, type TemplateResult } from 'lit';
import type { View } from '../form/view-model.ts';

/** A mark for what is wrong, so that colour alone does not say it. */
export const problemSign = html`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-.9 3.5h1.8v4.6H7.1V4.5Zm.9 7.2a1 1 0 1 1 0-2 1 1 0 0 1 0 2Z"/></svg>`;

/**
 * The message at a control, and what ties it to the control.
 * @param hint the id of what else describes it.
 */
export function fieldProblem(
  { fieldErrors }: Pick<View, 'fieldErrors'>,
  control: string,
  hint?: string,
): {
  isInvalid: 'true' | typeof nothing;
  describedBy: string | typeof nothing;
  message: TemplateResult | typeof nothing;
} {
  const flag = fieldErrors.find((candidate) => candidate.control === control);
  if (!flag) return { isInvalid: nothing, describedBy: hint ?? nothing, message: nothing };
  const id = `${control}-problem`;
  return {
    isInvalid: 'true',
    describedBy: hint ? `${hint} ${id}` : id,
    message: html`<p class="problem" id=${id}>${problemSign}<span>${flag.message}</span></p>`,
  };
}

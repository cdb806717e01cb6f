import { html, nothing, type TemplateResult } from 'lit';
import type { View } from '../form/view-model.ts';

/** Icon that marks errors without relying on color alone. */
export const errorIcon = html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-.9 3.5h1.8v4.6H7.1V4.5Zm.9 7.2a1 1 0 1 1 0-2 1 1 0 0 1 0 2Z"/></svg>`;

/** Returns a control's error message and the attribute values that associate them. */
export function getErrorBindings(
  { fieldErrors }: Pick<View, 'fieldErrors'>,
  control: string,
  hintId?: string,
): {
  isInvalid: 'true' | typeof nothing;
  describedBy: string | typeof nothing;
  message: TemplateResult | typeof nothing;
} {
  const error = fieldErrors.find((candidate) => candidate.control === control);
  if (!error) return { isInvalid: nothing, describedBy: hintId ?? nothing, message: nothing };
  const id = `${control}-error`;
  return {
    isInvalid: 'true',
    describedBy: hintId ? `${hintId} ${id}` : id,
    message: html`<p class="error" id=${id}>${errorIcon}<span .textContent=${error.message}></span></p>`,
  };
}

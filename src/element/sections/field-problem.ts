import { html, nothing, type TemplateResult } from 'lit';
import type { FormProblem } from '../../form/state.ts';
import type { View } from '../view.ts';

/** A mark for what is wrong, so that colour alone does not say it. */
export const problemSign = html`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-.9 3.5h1.8v4.6H7.1V4.5Zm.9 7.2a1 1 0 1 1 0-2 1 1 0 0 1 0 2Z"/></svg>`;

/** The message at a control, and what ties it to the control. */
export function fieldProblem(view: View, control: FormProblem['control']): { isInvalid: boolean; describedBy: string | typeof nothing; message: TemplateResult | typeof nothing } {
  const problem = view.problems.find((candidate) => candidate.control === control);
  if (!problem) return { isInvalid: false, describedBy: nothing, message: nothing };
  const id = `${control}-problem`;
  return { isInvalid: true, describedBy: id, message: html`<p class="problem" id=${id}>${problemSign}${wordsFor(view, problem)}</p>` };
}

function wordsFor({ texts, offer, money }: View, { control, code }: FormProblem): string {
  const { minimum, maximum } = offer.settings.currency;
  if (code === 'not-an-amount') return texts.notAnAmount;
  if (code === 'too-small') return texts.tooSmall(money(minimum));
  if (code === 'too-large') return texts.tooLarge(money(maximum), offer.definition.organization.contact);
  if (code === 'not-an-email') return texts.notAnEmail;
  return control === 'amount' ? texts.amountMissing : texts.missing[control];
}

import { html, nothing, type TemplateResult } from 'lit';
import type { FormProblem } from '../../form/state.ts';
import type { View } from '../view.ts';

/** A mark for what is wrong, so that colour alone does not say it. */
export const problemSign = html`<svg class="sign" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-.9 3.5h1.8v4.6H7.1V4.5Zm.9 7.2a1 1 0 1 1 0-2 1 1 0 0 1 0 2Z"/></svg>`;

/** What is wrong at a control, in words, and what ties them to it. */
export interface ProblemMessage {
  readonly isInvalid: boolean;
  readonly describedBy: string | typeof nothing;
  readonly message: TemplateResult | typeof nothing;
}

/** The message at a control of the form. */
export function fieldProblem(view: View, control: FormProblem['control']): ProblemMessage {
  const problem = view.problems.find((candidate) => candidate.control === control);
  return problemMessage(control, problem && wordsFor(view, problem));
}

/** A message at a control. @param words `undefined` where nothing is wrong. */
export function problemMessage(control: string, words: string | undefined): ProblemMessage {
  if (words === undefined) return { isInvalid: false, describedBy: nothing, message: nothing };
  const id = `${control}-problem`;
  return { isInvalid: true, describedBy: id, message: html`<p class="problem" id=${id}>${problemSign}${words}</p>` };
}

function wordsFor({ texts, offer, money }: View, { control, code }: FormProblem): string {
  const { minimum, maximum } = offer.settings.currency;
  if (code === 'not-an-amount') return texts.notAnAmount;
  if (code === 'too-small') return texts.tooSmall(money(minimum));
  if (code === 'too-large') return texts.tooLarge(money(maximum), offer.definition.organization.contact);
  if (code === 'not-an-email') return texts.notAnEmail;
  return control === 'amount' ? texts.amountMissing : texts.missing[control];
}

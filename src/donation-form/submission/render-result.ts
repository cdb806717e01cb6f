import type { TemplateResult } from 'lit';
import type { FormStore, OutcomePhase } from '../form/form-store.ts';
import { renderPaymentAction } from '../sections/payment-action.ts';
import { renderThankYou } from '../thank-you/thank-you.ts';
import type { ActionStep } from './submission-machine.ts';
import { getSubmissionTexts } from './submission-texts.ts';

export function renderResult(
  phase: OutcomePhase,
  form: FormStore,
  chooseStep: (step: ActionStep) => void,
): TemplateResult {
  const texts = getSubmissionTexts(form);
  return phase.name === 'requires_action'
    ? renderPaymentAction(phase, form, texts, chooseStep)
    : renderThankYou(phase, form, texts);
}

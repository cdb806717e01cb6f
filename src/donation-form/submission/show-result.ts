import type { TemplateResult } from 'lit';
import type { FormStore, OutcomePhase } from '../form/form-store.ts';
import { getSubmissionTexts } from './submission-context.ts';
import type { ActionStep } from './submission-machine.ts';

let screens: typeof import('./result-screens.ts') | undefined;

/** @throws if the network fails. */
export async function loadResultScreens(form: FormStore): Promise<void> {
  screens ??= await import('./result-screens.ts');
  if (form.illustrations) return;
  const { thankYouStyles, illustrationStyles, illustrations } = screens;
  form.adoptStyles(thankYouStyles);
  form.adoptStyles(illustrationStyles);
  void form.update({ illustrations });
}

/** Call after {@link loadResultScreens}. */
export function renderResult(
  phase: OutcomePhase,
  form: FormStore,
  chooseStep: (step: ActionStep) => void,
): TemplateResult {
  const { renderPaymentAction, renderThankYou } = screens!;
  const texts = getSubmissionTexts(form);
  return phase.name === 'requires_action'
    ? renderPaymentAction(phase, form, texts, chooseStep)
    : renderThankYou(phase, form, texts);
}

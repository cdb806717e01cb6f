import type { TemplateResult } from 'lit';
import type { SubmissionTexts } from '@donation-form/core/i18n';
import type { FormStore, OutcomePhase } from '../form/form-store.ts';
import type { ActionStep } from './submission-machine.ts';

export class ResultScreenLoader {
  readonly #form: FormStore;
  readonly #texts: SubmissionTexts;
  #chunk: typeof import('./result-screens.ts') | undefined;

  constructor(form: FormStore, texts: SubmissionTexts) {
    this.#form = form;
    this.#texts = texts;
  }

  /** @throws if the network fails. */
  async load(): Promise<void> {
    if (this.#chunk) return;
    this.#chunk = await import('./result-screens.ts');
    const { thankYouStyles, illustrationStyles, illustrations } = this.#chunk;
    this.#form.adoptStyles(thankYouStyles);
    this.#form.adoptStyles(illustrationStyles);
    void this.#form.update({ illustrations });
  }

  /** Call after {@link load}. */
  render(phase: OutcomePhase, chooseStep: (step: ActionStep) => void): TemplateResult {
    const { renderPaymentAction, renderThankYou } = this.#chunk!;
    return phase.name === 'requires_action'
      ? renderPaymentAction(phase, this.#form, this.#texts, chooseStep)
      : renderThankYou(phase, this.#form, this.#texts);
  }
}

import type { ReactiveController, TemplateResult } from 'lit';
import { type FieldError, getFieldFailureError } from '@donation-form/core/form-state';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { DonationOutcome } from '@donation-form/core/schemas';
import {
  DonationFormChangeEvent,
  DonationFormDonorStartEvent,
  DonationFormReadyEvent,
} from '../events/submission-events.ts';
import type { FormStore, OutcomePhase } from '../form/form-store.ts';
import { stringifyJson } from '../page/stringify-json.ts';
import { wait } from '../page/wait.ts';
import { getDisplayedGift } from './displayed-gift.ts';
import { showErrorSummary, updateFieldErrors } from './field-validator.ts';
import { focusElement } from './form-focus.ts';
import { getNextSteps, loadNextSteps, type NextSteps } from './load-next-steps.ts';
import { prepareForm } from './prepare-form.ts';
import { getEntryTexts } from './submission-context.ts';
import type { Effect, NextStepInput, OutcomeInput, SubmissionInput } from './submission-machine.ts';
import {
  createSubmissionParts,
  isFillable,
  isInUse,
  loadWallets,
  pollOutcome,
  removePaymentFields,
  type SubmissionParts,
} from './submission-parts.ts';

/** The form has another controller after it loads again. */
export class SubmissionController implements ReactiveController {
  readonly #parts: SubmissionParts;
  #updateTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(form: FormStore) {
    this.#parts = createSubmissionParts(
      form,
      (input) => void this.dispatch(input),
      (outcome) => void this.#inheritOutcome(outcome).catch(() => undefined),
      loadNextSteps,
    );
    const { signal } = this.#parts;
    void loadWallets(this.#parts);
    prepareForm(this.#parts);
    addEventListener(
      'pageshow',
      ({ persisted }) => {
        if (persisted && isInUse(this.#parts)) void this.#parts.action?.resumeAfterReturn();
      },
      { signal },
    );
    signal.addEventListener('abort', () => this.#dispose());
    if (!form.element.isConnected) this.hostDisconnected();
  }

  hostConnected(): void {
    this.resume();
  }

  hostDisconnected(): void {
    removePaymentFields(this.#parts);
    this.#parts.client.releaseDonation();
  }

  #dispose(): void {
    const { form } = this.#parts;
    form.element.removeController(this);
    this.hostDisconnected();
    clearTimeout(this.#updateTimer);
    form.paymentReplacement = undefined;
    form.renderWallets = undefined;
    form.renderSummary = undefined;
  }

  /** Continues with what the phase requires. Does not restart polling. */
  resume(): void {
    const { form, client, payment, wallets } = this.#parts;
    if (!isInUse(this.#parts)) return;
    const { phase, element } = form;
    client.claimDonation();
    if (phase.name === 'filling') {
      payment.showPayment();
      wallets?.showButtons();
      client.prepareProof();
      void element.updateComplete.then(() =>
        getNextSteps(this.#parts)?.addHoneypot(element.shadowRoot!.querySelector('form')),
      );
      this.applyGiftChanges();
    }
    const isUnfinished = phase.name === 'unconfirmed' || phase.name === 'requires_action';
    if (isUnfinished && !client.isPolling) pollOutcome(this.#parts, phase);
    if (phase.name === 'succeeded' || phase.name === 'processing') client.clearKey();
  }

  /** Updates the charge in a later task, because that can take longer than everything else. */
  applyGiftChanges(): void {
    const parts = this.#parts;
    dispatchGiftEvents(parts.form);
    if (!isFillable(parts)) return;
    parts.payment.showSelectedProvider();
    clearTimeout(this.#updateTimer);
    this.#updateTimer = setTimeout(() => {
      if (!isFillable(parts)) return;
      parts.payment.updateCharge();
      parts.wallets?.updateButtons();
    });
  }

  reportSettings(): void {
    reportSettings(this.#parts.form).catch(() => undefined);
    this.applyGiftChanges();
  }

  updateFieldErrors(): void {
    updateFieldErrors(this.#parts.form);
  }

  get isOutcomeUnknown(): boolean {
    return this.#parts.submitter.isOutcomeUnknown;
  }

  async submit(): Promise<void> {
    const { form, submitter } = this.#parts;
    if (form.phase.name !== 'filling') return;
    const input = await submitter.submit();
    if (input) await this.dispatch(input);
  }

  startNewDonation(): void {
    const { form, client } = this.#parts;
    client.clearKey();
    const steps = getNextSteps(this.#parts);
    steps?.clearSavedEdits(form);
    steps?.removeSuggestions(form.element.shadowRoot!);
    this.resume();
  }

  async fetchUnfinishedOutcome(): Promise<OutcomeInput | undefined> {
    await loadNextSteps(this.#parts);
    return this.#parts.action!.fetchUnfinishedOutcome();
  }

  renderResult(phase: OutcomePhase): TemplateResult {
    const { form, dispatch } = this.#parts;
    return getNextSteps(this.#parts)!.renderResult(phase, form, (step) =>
      dispatch({ kind: 'step-chosen', step }),
    );
  }

  async dispatch(input: SubmissionInput): Promise<void> {
    if (input.kind === 'invalid-fields') return this.#showInvalidFields(input.fieldErrors);
    let steps = getNextSteps(this.#parts);
    if (!steps) {
      if (input.kind === 'problem') void this.#parts.form.update({ phase: { name: 'sending' } });
      steps = await loadNextSteps(this.#parts).catch(() => undefined);
    }
    return steps ? this.#takeNextStep(input, steps) : this.#handleLoadFailure(input);
  }

  async #showInvalidFields(fieldErrors: readonly FieldError[]): Promise<void> {
    const { form } = this.#parts;
    showErrorSummary(form, fieldErrors);
    await form.update({ phase: { name: 'filling' }, progressMessage: '' });
    form.dispatchError('fields');
    focusElement(form, '#notice');
  }

  /** Without its next steps, the form has not sent anything. A notice ends no submission. */
  async #handleLoadFailure({ kind }: NextStepInput): Promise<void> {
    const { form } = this.#parts;
    const { paymentUnavailable, notSubmitted } = form.texts;
    if (kind === 'show-notice')
      return void form.update({ notice: 'payment-unavailable', noticeText: paymentUnavailable });
    if (kind === 'offer-alternative' || kind === 'offer-wallet-cancel') return;
    const { name: organization } = form.context!.definition.organization;
    await form.update({
      phase: { name: 'filling' },
      progressMessage: '',
      notice: 'network-error',
      noticeText: fillPlaceholders(notSubmitted, { organization }),
    });
    form.dispatchError('network-error');
    this.resume();
    focusElement(form, '#notice');
  }

  async #takeNextStep(input: NextStepInput, steps: NextSteps): Promise<void> {
    const { form, client, submitter, action } = this.#parts;
    const isOnPage = form.element.isConnected;
    const { phase, effects, afterRender } = steps.decideNextStep(form.phase, input, {
      isOnPage,
      hasSuccessor: !isOnPage && client.successorListener !== undefined,
      isWalletPayment: submitter.isWalletPayment,
      wasCanceled: action!.wasCanceled,
    });
    this.#runEffects(steps, effects);
    if (phase) {
      if (phase.name === 'processing' || phase.name === 'succeeded')
        await showTickInButton(form.element.shadowRoot!);
      await form.update({ phase, progressMessage: '' });
    }
    this.#runEffects(steps, afterRender);
  }

  #runEffects({ runEffect }: NextSteps, effects: readonly Effect[] = []): void {
    const { form } = this.#parts;
    for (const effect of effects) {
      if (effect.kind === 'resume') this.resume();
      else if (effect.kind === 'show-field-failure')
        showErrorSummary(form, [getFieldFailureError(effect.reason, getEntryTexts(form))]);
      else runEffect(effect, this.#parts);
    }
  }

  /** Handles the outcome of a donation from a form that this form has replaced. */
  async #inheritOutcome(inherited: DonationOutcome): Promise<void> {
    const { form, client } = this.#parts;
    const isFilling = (): boolean => form.phase.name === 'filling';
    if (form.phase.name === 'loading')
      return form.element.addEventListener(
        'donation-form-load',
        () => void this.#inheritOutcome(inherited).catch(() => undefined),
        { once: true },
      );
    if (!isFilling()) return;
    const { wasAnnounced } = await loadNextSteps(this.#parts);
    const fetched = await this.#parts.action!.fetchUnfinishedOutcome();
    const isNew =
      ['succeeded', 'processing'].includes(inherited.status) &&
      !(await wasAnnounced(client.key ?? inherited.reference));
    if (!fetched && !isNew) return;
    const input = fetched ?? { kind: 'outcome', outcome: inherited, isEarlier: false };
    if (isFilling()) await this.dispatch(input);
  }
}

const TICK_DURATION = 240;

/** Turns the button's spinner, if any, into a check mark, and waits while it is visible. */
async function showTickInButton(root: ShadowRoot): Promise<void> {
  const spinner = root.querySelector('[part=button] .spinner');
  if (!spinner || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  spinner.classList.add('tick');
  await wait(TICK_DURATION);
}

/** Returns true if the page or its URL has settings to report, or the debug panel is open. */
function hasSettings({ session, context, debugPanel }: FormStore): boolean {
  const { pageContext } = session!;
  const { isDebugRequested, search, settings, element } = pageContext;
  return (
    [isDebugRequested, debugPanel, search, element.settings].some(Boolean) ||
    settings !== undefined ||
    'ServiceDonorsForms' in window ||
    pageContext.readSettings(context!.definition).length > 0
  );
}

async function reportSettings(form: FormStore): Promise<void> {
  if (hasSettings(form)) (await import('../debug/report-settings.ts')).reportSettings(form);
}

const startedForms = new WeakSet<FormStore>();

/** Dispatches what has happened to the donation since the last call, unless the form is loading. */
function dispatchGiftEvents(form: FormStore): void {
  const { lastDispatched: previous, element, edits, phase, context } = form;
  if (phase.name === 'loading') return;
  const { isTest } = context!.definition;
  const gift = getDisplayedGift(form);
  form.lastDispatched = stringifyJson(gift);
  if (previous === undefined) element.dispatchEvent(new DonationFormReadyEvent(gift, isTest));
  if (previous !== undefined && previous !== form.lastDispatched)
    element.dispatchEvent(new DonationFormChangeEvent(gift, isTest));
  if (startedForms.has(form) || !Object.values(edits.donor ?? {}).some(Boolean)) return;
  startedForms.add(form);
  element.dispatchEvent(new DonationFormDonorStartEvent(gift, isTest));
}

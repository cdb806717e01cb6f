import type { ReactiveController, TemplateResult } from 'lit';
import type { DonationOutcome } from '@donation-form/core/schemas';
import { reportSettings } from '../debug/report-settings.ts';
import {
  DonationFormChangeEvent,
  DonationFormDonorStartEvent,
  DonationFormReadyEvent,
} from '../events/submission-events.ts';
import type { FormStore, OutcomePhase } from '../form/form-store.ts';
import { stringifyJson } from '../page/stringify-json.ts';
import { wait } from '../page/wait.ts';
import { wasAnnounced } from './announce-accepted-donation.ts';
import { getDisplayedGift } from './displayed-gift.ts';
import { removeSuggestions } from './email-suggestions.ts';
import { updateFieldErrors } from './field-validator.ts';
import { addHoneypot } from './honeypot.ts';
import { prepareForm } from './prepare-form.ts';
import { runEffect } from './run-effect.ts';
import { clearSavedEdits } from './saved-edits.ts';
import { loadResultScreens, renderResult } from './show-result.ts';
import {
  decideNextStep,
  type Effect,
  type OutcomeInput,
  type SubmissionInput,
} from './submission-machine.ts';
import {
  createSubmissionParts,
  isFillable,
  isInUse,
  loadWallets,
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
    );
    const { action, signal } = this.#parts;
    void loadWallets(this.#parts);
    prepareForm(this.#parts);
    addEventListener(
      'pageshow',
      ({ persisted }) => {
        if (persisted && isInUse(this.#parts)) void action.resumeAfterReturn();
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
        addHoneypot(element.shadowRoot!.querySelector('form')),
      );
      this.applyGiftChanges();
    }
    const isUnfinished = phase.name === 'unconfirmed' || phase.name === 'requires_action';
    if (isUnfinished && !client.isPolling) {
      const { outcome, isEarlier } = phase;
      runEffect({ kind: 'poll', outcome, isEarlier }, this.#parts);
    }
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
    reportSettings(this.#parts.form);
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
    clearSavedEdits(form);
    removeSuggestions(form.element.shadowRoot!);
    this.resume();
  }

  async fetchUnfinishedOutcome(): Promise<OutcomeInput | undefined> {
    const { form, action } = this.#parts;
    const input = await action.fetchUnfinishedOutcome();
    if (input) await loadResultScreens(form);
    return input;
  }

  renderResult(phase: OutcomePhase): TemplateResult {
    const { form, dispatch } = this.#parts;
    return renderResult(phase, form, (step) => dispatch({ kind: 'step-chosen', step }));
  }

  async dispatch(input: SubmissionInput): Promise<void> {
    const { form, client, submitter, action } = this.#parts;
    const isOnPage = form.element.isConnected;
    const { phase, effects, afterRender } = decideNextStep(form.phase, input, {
      isOnPage,
      hasSuccessor: !isOnPage && client.successorListener !== undefined,
      isWalletPayment: submitter.isWalletPayment,
      wasCanceled: action.wasCanceled,
    });
    this.#runEffects(effects);
    if (phase) {
      if (phase.name === 'processing' || phase.name === 'succeeded')
        await showTickInButton(form.element.shadowRoot!);
      await form.update({ phase, progressMessage: '' });
    }
    this.#runEffects(afterRender);
  }

  #runEffects(effects: readonly Effect[] = []): void {
    for (const effect of effects) {
      if (effect.kind === 'resume') this.resume();
      else runEffect(effect, this.#parts);
    }
  }

  /** Handles the outcome of a donation from a form that this form has replaced. */
  async #inheritOutcome(inherited: DonationOutcome): Promise<void> {
    const { form, client, action } = this.#parts;
    const isFilling = (): boolean => form.phase.name === 'filling';
    if (form.phase.name === 'loading')
      return form.element.addEventListener(
        'donation-form-load',
        () => void this.#inheritOutcome(inherited).catch(() => undefined),
        { once: true },
      );
    if (!isFilling()) return;
    const fetched = await action.fetchUnfinishedOutcome();
    const isNew =
      ['succeeded', 'processing'].includes(inherited.status) &&
      !(await wasAnnounced(client.key ?? inherited.reference));
    if (!fetched && !isNew) return;
    await loadResultScreens(form);
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

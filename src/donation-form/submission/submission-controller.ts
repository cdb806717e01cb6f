import { nothing, type CSSResult, type TemplateResult } from 'lit';
import type { FailureReason } from '@donation-form/core/donation';
import type { DonationOutcome, DonationRequest, FormDefinition } from '@donation-form/core/schemas';
import {
  toDonationRequest,
  type FormState,
  type Totals,
  PROVIDER_CONTROL,
} from '@donation-form/core/form-state';
import {
  readUrlAndLanding,
  resolveOptionalSettings,
  SettingResolver,
} from '@donation-form/core/settings';
import { setUrlReader } from '../page/page-context.ts';
import {
  enSubmission,
  getTextDirection,
  type SubmissionNotice,
  type SubmissionTexts,
} from '@donation-form/core/i18n';
import { RequiredAction } from './required-action.ts';
import { DonationFormSubmitEvent } from '../events/submission-events.ts';
import { FieldValidator } from './field-validator.ts';
import { discardEmbeddedDefinitions } from './discard-embedded-definitions.ts';
import { getRejectedFieldError } from '../form/validation-messages.ts';
import { DonationClient } from './donation-client.ts';
import { reportIgnoredSettings } from '../debug/report-ignored-settings.ts';
import type { FormStore, Phase } from '../form/form-store.ts';
import { createMoneyFormatter, removeCurrencySigns } from '@donation-form/core/money';
import type { WalletPayment } from './wallet-payment.ts';
import { Notices, type NoticeDetails } from './notices.ts';
import { SelectedPayment, type PaymentProblem } from './selected-payment.ts';
import { animateSegmentedControls } from '../sections/slide-selection.ts';
import { renderSummary } from '../sections/summary.ts';
import { lateStyles } from '../form/late-styles.ts';
import { updateDebugPanel } from '../debug/update-debug-panel.ts';
import { warnAboutMistakes } from '../debug/find-mistakes.ts';
import { dispatchGiftEvents } from './dispatch-gift-events.ts';
import { getDisplayedGift, serializeDisplayedDonation } from './displayed-gift.ts';
import { announceAcceptedDonation } from './announce-accepted-donation.ts';
import { wasAnnounced } from './announced-donations.ts';
import { removeSuggestions, suggestEmailCorrections } from './email-suggestions.ts';
import { showTickInButton } from './show-tick.ts';
import { containKeys } from './contain-keys.ts';
import { moveFocusOnEnter } from './enter-key.ts';
import { consumeHoneypotValue, addHoneypot } from './honeypot.ts';
import type { FieldError, PaymentNotice } from '../form/view-model.ts';
import { isSlotted } from '../page/is-slotted.ts';
import { syncColorScheme } from '../page/sync-color-scheme.ts';
import { removeCopiedHosts } from '../payment-fields/field-host.ts';
import { runWhenIdle } from '../page/on-idle.ts';
import { stringifyJson } from '../page/stringify-json.ts';
import { toArray } from '../page/to-array.ts';

type ResultScreens = Pick<
  typeof import('./result-screens.ts'),
  'renderPaymentAction' | 'renderThankYou'
>;

/** Submits a form's donation and shows its outcome. */
export class SubmissionController {
  readonly #form: FormStore;
  readonly #client: DonationClient;
  readonly #payment: SelectedPayment;
  readonly #paymentAction: RequiredAction;
  readonly #notices: Notices;
  /** Undefined until loaded, and if no payment provider of the form has wallet buttons. */
  #wallets: WalletPayment | undefined;
  /** Undefined until loaded. */
  #resultScreens: ResultScreens | undefined;
  readonly #validator: FieldValidator;
  readonly #texts: SubmissionTexts;
  readonly #adoptStyles: (styles: CSSResult) => void;
  readonly #abortController = new AbortController();
  #isConnected = true;
  /** True if the last submission got no response. */
  isOutcomeUnknown = false;
  #updateTimer: ReturnType<typeof setTimeout> | undefined;
  /** True if the donor approved the last submission in a wallet instead of the payment field. */
  #isWalletPayment = false;

  /** @param adoptStyles function that adds styles to the form's shadow root. */
  constructor(form: FormStore, adoptStyles: (styles: CSSResult) => void) {
    const { element, session, context } = form;
    this.#form = form;
    this.#texts = session!.translation?.submission ?? enSubmission;
    this.#validator = new FieldValidator(form, this.#texts, (control) =>
      this.focusControl(control),
    );
    this.#client = new DonationClient(
      session!.endpointUrl,
      context!.definition.id,
      (outcome) => void this.#handleOutcomeOfRemovedForm(outcome).catch(() => undefined),
    );
    this.#payment = new SelectedPayment({
      form,
      texts: this.#texts,
      signal: this.#abortController.signal,
      isOffline: () => this.#client.isOffline(),
      onUnavailable: (notice) => void this.#notices.show(notice),
      onAvailable: () => this.#notices.hide('payment-unavailable', 'offline'),
      onStalled: (alternative, choose, isOffline) =>
        this.#notices.offerPaymentAlternative(alternative, choose, isOffline),
    });
    this.#paymentAction = new RequiredAction({
      form,
      client: this.#client,
      payment: this.#payment,
      texts: this.#texts,
      submission: this,
    });
    this.#notices = new Notices({
      form,
      texts: this.#texts,
      payment: this.#payment,
      paymentAction: this.#paymentAction,
      focusControl: (control) => this.focusControl(control),
    });
    this.#adoptStyles = adoptStyles;
    removeCopiedHosts(element);
    adoptStyles(lateStyles);
    void this.#loadWallets();
    session!.removeCurrencySigns = removeCurrencySigns;
    setUrlReader(readUrlAndLanding);
    form.context = { ...context!, removeCurrencySigns };
    form.renderSummary = (view) => renderSummary(view, this.#texts);
    const root = element.shadowRoot!;
    const { signal } = this.#abortController;
    root.addEventListener(
      'focusout',
      (event) => {
        const { target, relatedTarget } = event as FocusEvent;
        if (!isSlotted(target, root))
          this.#validator.validateOnBlur(target as HTMLInputElement, relatedTarget !== null);
      },
      { signal },
    );
    root.addEventListener('click', (event) => this.#focusCustomAmount(event as MouseEvent), {
      signal,
    });
    syncColorScheme(root.querySelector('.root')!, signal);
    animateSegmentedControls(root, signal);
    containKeys(root, signal);
    moveFocusOnEnter(root, this.#payment, signal);
    suggestEmailCorrections(root, this.#texts.emailSuggestion, signal);
    addEventListener(
      'pageshow',
      ({ persisted }) => {
        if (persisted && this.#isConnected) void this.#paymentAction.handleReturn();
      },
      { signal },
    );
    if (!element.isConnected) this.suspendForm();
    runWhenIdle(() => {
      warnAboutMistakes(element);
      this.#loadResultScreens().catch(() => undefined);
      if (form.session === session)
        void form.update({
          writeMoney: createMoneyFormatter(session!.language, getTextDirection(session!.language)),
        });
    });
  }

  /**
   * Loads the screens that follow a submission, and the illustrations.
   * @throws if the network fails.
   */
  async #loadResultScreens(): Promise<void> {
    if (this.#resultScreens) return;
    const {
      renderPaymentAction,
      renderThankYou,
      thankYouStyles,
      illustrations,
      illustrationStyles,
    } = await import('./result-screens.ts');
    this.#resultScreens = { renderPaymentAction, renderThankYou };
    this.#adoptStyles(thankYouStyles);
    this.#adoptStyles(illustrationStyles);
    void this.#form.update({ illustrations });
  }

  /** Loads and shows the wallet buttons, if a payment provider of the form has any. */
  async #loadWallets(): Promise<void> {
    const form = this.#form;
    if (!hasWallets(form.context!.definition)) return;
    const { WalletPayment: Controller, walletStyles } = await import('./wallet-payment.ts').catch(
      () => ({
        WalletPayment: undefined,
        walletStyles: undefined,
      }),
    );
    if (this.#abortController.signal.aborted) return;
    if (!Controller) {
      form.renderWallets = () => nothing;
      return void form.update({});
    }
    this.#adoptStyles(walletStyles);
    const wallets = new Controller({
      form,
      texts: this.#texts,
      submission: {
        validateAndDispatchSubmit: (getTotals, isIncluded) =>
          this.#validateAndDispatchSubmit(getTotals, isIncluded),
        findErrors: () => this.#validator.findErrors(),
        showFieldErrors: (errors) => this.#showFieldErrors(errors),
        showError: (notice) => this.showError(notice),
        showPaymentError: (problem) => this.#showPaymentError(problem),
        offerCancel: (cancel) => this.#notices.offerWalletCancel(cancel),
        createRequest: (state, totals) => this.#createRequest(state, totals),
        sendRequest: (request) => this.#submitAndHandleResult(request, true),
      },
    });
    this.#wallets = wallets;
    form.renderWallets = (view) => wallets.render(view);
    await form.update({});
    if (this.#isConnected && form.phase.name === 'filling') wallets.showButtons();
  }

  /**
   * Shows the payment field and applies changes to the donation, or polls for the outcome, depending
   * on the form's phase. Call when the form is added to the page or shows its fields again. Does not
   * restart polling.
   */
  resumeForm(): void {
    if (this.#abortController.signal.aborted) return;
    this.#isConnected = true;
    this.#client.claimDonation();
    const { phase } = this.#form;
    if (phase.name === 'filling') {
      this.#payment.showPayment();
      this.#wallets?.showButtons();
      this.#client.prepareProof();
      void this.#form.element.updateComplete.then(() => addHoneypot(this.#formElement));
      this.applyGiftChanges();
    }
    const isUnfinished = phase.name === 'unconfirmed' || phase.name === 'requires_action';
    if (isUnfinished && !this.#client.isPolling)
      this.#pollOutcome(phase.outcome.status, phase.isEarlier);
    if (phase.name === 'succeeded' || phase.name === 'processing') this.#client.clearKey();
  }

  /** Removes the payment field and stops polling. Call when the form is removed from the page. */
  suspendForm(): void {
    this.#isConnected = false;
    this.#removePaymentFields();
    this.#client.releaseDonation();
  }

  #removePaymentFields(): void {
    this.#payment.removeFields();
    this.#wallets?.removeButtons();
  }

  /** Stops this controller. Call before another controller replaces it. */
  dispose(): void {
    this.suspendForm();
    clearTimeout(this.#updateTimer);
    this.#form.paymentReplacement = undefined;
    this.#form.renderWallets = undefined;
    this.#form.renderSummary = undefined;
    this.#abortController.abort();
  }

  startNewDonation(): void {
    this.#client.clearKey();
    this.#paymentAction.clearSavedEdits();
    removeSuggestions(this.#form.element.shadowRoot!);
    this.resumeForm();
  }

  /** Fetches the outcome of a donation that was unfinished when the donor left the page. */
  async fetchUnfinishedOutcome(): Promise<DonationOutcome | undefined> {
    const outcome = await this.#paymentAction.fetchUnfinishedOutcome();
    if (outcome) await this.#loadResultScreens();
    return outcome;
  }

  /**
   * Dispatches events for ignored settings and for changes to the donation, and updates the debug
   * panel. No failed diagnosis stops the donor.
   */
  reportSettingsAndChanges(): void {
    this.#reportSettings().catch(() => undefined);
    this.applyGiftChanges();
    updateDebugPanel(this.#form, this.#adoptStyles).catch(() => undefined);
  }

  /** Dispatches events for ignored settings. Logs warnings if the page has any settings. */
  async #reportSettings(): Promise<void> {
    const { session, context } = this.#form;
    const { search, settings, element } = session!.pageContext;
    reportIgnoredSettings(this.#form.element, session!, context!.definition);
    const hasSettings = search !== '' || settings !== undefined || element.settings;
    if (!hasSettings && !('ServiceDonorsForms' in window)) return;
    const { warnAboutSettings } = await import('../debug/warn-about-settings.ts');
    warnAboutSettings(session!, context!);
  }

  /**
   * Dispatches events for changes to the donation, and updates the payment field and wallet buttons.
   * Updates their charge in a later task, because that can take longer than everything else that an
   * input changes.
   */
  applyGiftChanges(): void {
    dispatchGiftEvents(this.#form);
    if (!this.#canUpdatePayment) return;
    this.#payment.showSelectedProvider();
    clearTimeout(this.#updateTimer);
    this.#updateTimer = setTimeout(() => {
      if (!this.#canUpdatePayment) return;
      this.#payment.updateCharge();
      this.#wallets?.updateButtons();
    });
  }

  get #canUpdatePayment(): boolean {
    return this.#isConnected && this.#form.phase.name === 'filling';
  }

  /** Shows current errors only for the included controls. */
  showFieldErrors(isIncluded: (control: string) => boolean): void {
    this.#validator.showErrorsOfControls(isIncluded);
  }

  /** Focuses a control, given its name or `payment` for the payment field. */
  focusControl(control: string): void {
    if (control === 'payment') return void this.#payment.focusField();
    const root = this.#form.element.shadowRoot!;
    const named = toArray(root.querySelectorAll<HTMLInputElement>('[name]')).filter(
      ({ name }) => name === control,
    );
    (
      root.getElementById(`${control}-control`) ??
      named.find(({ checked }) => checked) ??
      named[0]
    )?.focus();
  }

  /** Focuses the custom amount's input after a click anywhere on its tile. */
  #focusCustomAmount(event: MouseEvent): void {
    const target = event.target as Element;
    const tile = target.closest('.custom-amount');
    const isArrowKey = event.detail === 0;
    if (!tile || isArrowKey) return;
    if (target.localName === 'label') event.preventDefault();
    this.#form.applyEdits({ amountChoice: 'custom' });
    tile.querySelector<HTMLElement>('#amount-control')?.focus();
  }

  async submit(): Promise<void> {
    const form = this.#form;
    if (form.phase.name !== 'filling' || !this.#validateAndDispatchSubmit()) return;
    const totals = form.totals!;
    this.#focusElement('button[type=submit]');
    void form.update({ phase: { name: 'sending' } });
    const request = this.#createRequest(form.state, totals);
    if (await this.#client.isOffline()) return this.showError('offline');
    const payment = await this.#payment.confirmPayment(request.donor);
    this.#notices.hide('payment-stalled');
    if ('problem' in payment) return this.#showPaymentError(payment.problem);
    // The fee for the confirmed payment method can differ from the displayed fee.
    if (form.totals?.total !== totals.total) return this.showError('form-outdated');
    return this.#submitAndHandleResult({ ...request, payment });
  }

  /**
   * Validates the donation before the charge, and dispatches `donation-form-submit`, which the page
   * can cancel.
   * @param getTotals function that returns the amounts to charge.
   * @param isIncluded function that returns true for errors that the donor must correct first.
   * @returns false if the page canceled the event, or if the donor must correct or review something
   *   first. The form then shows the reason.
   */
  #validateAndDispatchSubmit(
    getTotals = () => this.#form.totals,
    isIncluded: (error: FieldError) => boolean = () => true,
  ): boolean {
    const form = this.#form;
    form.applyFormValues();
    const previous = serializeDisplayedDonation(form);
    form.element.refresh();
    if (previous !== serializeDisplayedDonation(form)) {
      void this.showError('settings-changed');
      return false;
    }
    const fieldErrors = this.#validator.findErrors().filter(isIncluded);
    const totals = getTotals();
    if (fieldErrors.length > 0 || !totals) {
      void this.#showFieldErrors(fieldErrors);
      return false;
    }
    void form.update({ fieldErrors, notice: undefined });
    return form.element.dispatchEvent(
      new DonationFormSubmitEvent(
        { ...getDisplayedGift(form), ...totals },
        form.context!.definition.isTest,
      ),
    );
  }

  async #showFieldErrors(fieldErrors: readonly FieldError[]): Promise<void> {
    await this.#form.update({
      phase: { name: 'filling' },
      progressMessage: '',
      fieldErrors,
      notice: 'problems',
      noticeText: this.#validator.renderErrorSummary(fieldErrors),
    });
    this.#form.dispatchError('fields');
    this.#focusElement('#notice');
  }

  #createRequest(state: FormState, totals: Totals): Omit<DonationRequest, 'payment'> {
    const { context, session } = this.#form;
    const { definition } = context!;
    const { optionalSections } = session!;
    const resolver = new SettingResolver(session!.pageContext.readSettings(definition));
    return toDonationRequest(
      optionalSections?.address?.removeUnusedFields(state) ?? state,
      totals,
      context!,
      {
        optionalSettings: resolveOptionalSettings(resolver, definition),
        optionalFields: optionalSections?.toDonationFields(state, context!, totals.amount),
        definition: session!.etag,
        language: session!.language,
        page: new URL(location.href),
      },
    );
  }

  async #submitAndHandleResult(request: DonationRequest, isWalletPayment = false): Promise<void> {
    this.#isWalletPayment = isWalletPayment;
    try {
      // Otherwise the form could not show the outcome.
      await this.#loadResultScreens();
    } catch {
      return this.showError((await this.#client.isOffline()) ? 'offline' : 'network-error');
    }
    const website = consumeHoneypotValue(this.#formElement);
    const result = await this.#client.submitDonation({
      ...request,
      ...(website && { form: { ...request.form, website } }),
    });
    this.isOutcomeUnknown = 'code' in result && result.code === 'network-error';
    if ('outcome' in result)
      return result.isEarlier || !this.#form.element.isConnected
        ? this.handleOutcome(result.outcome, result.isEarlier)
        : this.#paymentAction.handleAction(result.outcome, false);
    return result.notice === 'form-outdated'
      ? this.#loadNewDefinition()
      : this.showError(result.notice, result);
  }

  async #showPaymentError(problem: PaymentProblem): Promise<void> {
    if (problem === 'email-invalid') return this.#showFailure(problem);
    if (problem !== 'incomplete') {
      if (await this.#client.isOffline()) return this.showError('offline');
      if (problem === 'unavailable') return this.showError('payment-unavailable');
      await this.showError('processor-unavailable');
      if (problem === 'canceled') this.focusControl(PROVIDER_CONTROL);
      return;
    }
    await this.showError('payment-details-incomplete');
    await this.#payment.focusField();
  }

  async #loadNewDefinition(): Promise<void> {
    const form = this.#form;
    const previous = form.context!.definition;
    discardEmbeddedDefinitions();
    try {
      form.context = await form.session!.loadForm(form.edits.currency);
      for (const styles of form.session!.styleSheets) this.#adoptStyles(styles);
    } catch {
      return this.showError('network-error');
    }
    if (stringifyJson(form.context.definition.payments) !== stringifyJson(previous.payments))
      this.#removePaymentFields();
    if (!hasWallets(previous)) void this.#loadWallets();
    return this.showError('form-outdated');
  }

  /**
   * @param isEarlier true if the outcome belongs to an earlier submission with different values.
   */
  handleOutcome(outcome: DonationOutcome, isEarlier = false): void {
    const form = this.#form;
    const { status, reference } = outcome;
    const isOnPage = form.element.isConnected;
    const { key = reference, successorListener: successor } = this.#client;
    this.#paymentAction.stopWaitingForAction();
    if (!isOnPage && successor) return successor(outcome);
    if (status === 'unconfirmed' || status === 'requires_action') {
      const previousPhase = form.phase;
      void form
        .update({
          phase: {
            name: status,
            outcome,
            isEarlier,
            ...(this.#paymentAction.hasNetworkError && {
              step: 'network-error',
              requestId: this.#client.failedRequestId,
            }),
          },
          progressMessage: '',
        })
        .then(() => {
          if (previousPhase.name !== status) this.#focusElement('h2');
        });
      if (status === 'unconfirmed') form.dispatchError(status);
      return this.#pollOutcome(status, isEarlier);
    }
    // If no form can show the outcome, the idempotency key remains open for the next form, which
    // can then fetch the outcome.
    if (isOnPage || status === 'failed') {
      this.#client.clearKey();
      this.#paymentAction.clearSavedEdits();
    }
    if (status === 'failed') {
      const { reason = 'card-declined', provider } = outcome;
      if (this.#mustEmptyField(reason)) this.#payment.discardField(provider);
      return void this.#showFailure(reason);
    }
    void showTickInButton(form.element.shadowRoot!).then(() => {
      void this.#showPhaseAndFocusHeading({
        name: status === 'processing' ? status : 'succeeded',
        outcome,
        isEarlier,
      });
      this.#removePaymentFields();
    });
    void announceAcceptedDonation(form, outcome, key);
  }

  /**
   * Returns true if the form must empty the payment field after a failed donation. The input
   * remains if the donor paid with a wallet or canceled the payment.
   */
  #mustEmptyField(reason: FailureReason): boolean {
    if (this.#isWalletPayment) return false;
    return (
      reason === 'card-declined' || (reason === 'not-confirmed' && !this.#paymentAction.wasCanceled)
    );
  }

  /**
   * Shows the reason for a failed donation next to the field that the donor can correct, or as a
   * notice if there is no such field.
   */
  async #showFailure(reason: FailureReason): Promise<void> {
    const fieldError = getRejectedFieldError(reason, this.#texts);
    if (!fieldError) return this.showError(reason as Extract<FailureReason, SubmissionNotice>);
    await this.#showFieldErrors([fieldError]);
    if (this.#isConnected) this.resumeForm();
  }

  /**
   * Offers the donor a choice to continue or cancel an action. Does not move the focus, which might
   * be in the bank's dialog.
   */
  showPendingAction(outcome: DonationOutcome, isEarlier: boolean): void {
    void this.#form.update({
      phase: { name: 'requires_action', outcome, isEarlier },
      progressMessage: '',
    });
    this.#pollOutcome('requires_action', isEarlier);
  }

  /** Handles the outcome of a donation from a removed form that this form has replaced. */
  async #handleOutcomeOfRemovedForm(inheritedOutcome: DonationOutcome): Promise<void> {
    const { element } = this.#form;
    const isFilling = (): boolean => this.#form.phase.name === 'filling';
    if (this.#form.phase.name === 'loading')
      return element.addEventListener(
        'donation-form-load',
        () => void this.#handleOutcomeOfRemovedForm(inheritedOutcome).catch(() => undefined),
        { once: true },
      );
    if (!isFilling()) return;
    const fetchedOutcome = await this.#paymentAction.fetchUnfinishedOutcome();
    const isNew =
      ['succeeded', 'processing'].includes(inheritedOutcome.status) &&
      !(await wasAnnounced(this.#client.key ?? inheritedOutcome.reference));
    const outcome = fetchedOutcome ?? (isNew ? inheritedOutcome : undefined);
    if (!outcome) return;
    await this.#loadResultScreens();
    if (isFilling()) this.handleOutcome(outcome);
  }

  #pollOutcome(status: DonationOutcome['status'], isEarlier: boolean): void {
    if (this.#isConnected)
      this.#client.pollOutcome(status, (outcome) => this.handleOutcome(outcome, isEarlier));
  }

  async #showPhaseAndFocusHeading(phase: Phase): Promise<void> {
    await this.#form.update({ phase, progressMessage: '' });
    this.#focusElement('h2');
  }

  renderResult(phase: Extract<Phase, { outcome: DonationOutcome }>): TemplateResult {
    const { renderPaymentAction, renderThankYou } = this.#resultScreens!;
    return phase.name === 'requires_action'
      ? renderPaymentAction(
          phase,
          this.#form,
          this.#texts,
          (step) => void this.#paymentAction.continueOrCancelAction(step, phase),
        )
      : renderThankYou(phase, this.#form, this.#texts);
  }

  /**
   * Shows the form again with the donor's input and a notice.
   * @param code code of the dispatched error event. Default: the notice.
   */
  async showError(
    notice: PaymentNotice,
    { code = notice, ...details }: NoticeDetails & { readonly code?: string } = {},
  ): Promise<void> {
    Object.assign(this.#form, { phase: { name: 'filling' }, progressMessage: '' });
    await this.#notices.show(notice, details, true);
    this.#form.dispatchError(code);
    if (this.#isConnected) this.resumeForm();
    if (notice !== 'payment-details-incomplete') this.#focusElement('#notice');
  }

  get #formElement(): HTMLFormElement | null {
    return this.#form.element.shadowRoot!.querySelector('form');
  }

  #focusElement(selector: string): void {
    this.#form.element.shadowRoot!.querySelector<HTMLElement>(selector)?.focus();
  }
}

const hasWallets = ({ payments }: FormDefinition): boolean =>
  payments.some((payment) => payment.hasWallets);

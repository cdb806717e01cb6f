import type { DonationOutcome } from '@donation-form/core/schemas';
import type { Edits } from '@donation-form/core/form-state';
import { CANCELED_PARAMETER, removeProviderParameters } from '@donation-form/core/url';
import type { SubmissionNotice, SubmissionTexts } from '@donation-form/core/i18n';
import type { DonationClient } from './donation-client.ts';
import type { FormStore, Phase } from '../form/form-store.ts';
import type { SelectedPayment } from './selected-payment.ts';
import { RESPONSE_TIME } from '../payment-fields/time-limit.ts';
import { runWithoutModal } from './run-without-modal.ts';
import { clearSavedFragment, restoreFragment, saveFragment } from '../page/restore-fragment.ts';
import { tryStorage } from '../page/session-storage.ts';
import { stringifyJson } from '../page/stringify-json.ts';

/** Milliseconds to wait for the browser to leave the page before a redirect counts as failed. */
const REDIRECT_TIMEOUT = 10_000;

/** Prefix of the `sessionStorage` keys that store the donor's edits during a redirect. */
const STORAGE_PREFIX = 'donation-form-edits ';

/** Methods of the submission controller that continue the donation after an action. */
interface Submission {
  handleOutcome(outcome: DonationOutcome, isEarlier?: boolean): void;
  showPendingAction(outcome: DonationOutcome, isEarlier: boolean): void;
  showError(notice: SubmissionNotice): Promise<void>;
  resumeForm(): void;
}

interface RequiredActionOptions {
  readonly form: FormStore;
  readonly client: DonationClient;
  readonly payment: SelectedPayment;
  readonly texts: SubmissionTexts;
  readonly submission: Submission;
}

/**
 * Handles actions that the donor must complete before the charge, either in the payment field or on
 * the bank's or payment provider's page.
 */
export class RequiredAction {
  readonly #form: FormStore;
  readonly #client: DonationClient;
  readonly #payment: SelectedPayment;
  readonly #texts: SubmissionTexts;
  readonly #submission: Submission;
  /** Timer of the running redirect or action in the payment field. */
  #actionTimer: ReturnType<typeof setTimeout> | undefined;
  /** Stops waiting for the payment field to complete an action. */
  #abandonAction: () => void = () => undefined;
  /**
   * True if the donor canceled the payment on the payment provider's page and returned to this
   * page.
   */
  #hasCanceled = new URL(location.href).searchParams.has(CANCELED_PARAMETER);
  /** True if the donor canceled the last action. */
  wasCanceled = false;
  /** True if the last request to confirm or cancel an action got no response. */
  hasNetworkError = false;

  constructor({ form, client, payment, texts, submission }: RequiredActionOptions) {
    this.#form = form;
    this.#client = client;
    this.#payment = payment;
    this.#texts = texts;
    this.#submission = submission;
    restoreFragment();
    removeProcessorParams(false);
  }

  /**
   * Stops waiting for a redirect or the payment field. Call when the action's outcome arrives in
   * another way.
   */
  stopWaitingForAction(): void {
    clearTimeout(this.#actionTimer);
    this.#actionTimer = undefined;
    this.#abandonAction();
  }

  /** Fetches the outcome of a donation that was unfinished when the donor left the page. */
  async fetchUnfinishedOutcome(): Promise<DonationOutcome | undefined> {
    const outcome = await this.#client.fetchLatestOutcome();
    if (outcome) removeProcessorParams(true);
    this.#restoreSavedEdits();
    const step = this.#hasCanceled ? 'cancel' : 'confirm';
    this.#hasCanceled = false;
    return outcome?.status === 'requires_action'
      ? this.#confirmOrCancelAction(step, outcome)
      : outcome;
  }

  get #storageKey(): string {
    const { session, context } = this.#form;
    return `${STORAGE_PREFIX}${session!.endpointUrl}${context!.definition.id}`;
  }

  #restoreSavedEdits(): void {
    const form = this.#form;
    const savedEdits = tryStorage(
      () => JSON.parse(sessionStorage.getItem(this.#storageKey)!) as Edits | null,
    );
    if (!savedEdits || Object.keys(form.edits).length > 0) return;
    form.edits = savedEdits;
    form.context = form.session!.createFormContext(form.context!.definition, form.edits.currency);
  }

  clearSavedEdits(): void {
    tryStorage(() => sessionStorage.removeItem(this.#storageKey));
    clearSavedFragment();
  }

  /**
   * Confirms or cancels the required action.
   * @returns the new outcome, the previous outcome if the request failed, or `undefined` if the
   *   donation does not exist.
   */
  async #confirmOrCancelAction(
    step: 'confirm' | 'cancel',
    previousOutcome: DonationOutcome,
  ): Promise<DonationOutcome | undefined> {
    this.wasCanceled = step === 'cancel';
    const result = await this.#client.confirmOrCancelAction(step);
    this.hasNetworkError = result === 'network-error';
    if (result === 'unknown') return undefined;
    return result === 'network-error' ? previousOutcome : result;
  }

  /** Starts the required action, if there is one. */
  async handleAction(outcome: DonationOutcome, isEarlier: boolean): Promise<void> {
    const { status, action } = outcome;
    const form = this.#form;
    if (status !== 'requires_action' || !action)
      return this.#submission.handleOutcome(outcome, isEarlier);
    this.wasCanceled = false;
    // Saves no selected methods, because the payment field selects its first method after a reload.
    const edits: Edits = { ...form.edits, paymentMethods: {} };
    tryStorage(() => sessionStorage.setItem(this.#storageKey, stringifyJson(edits)));
    saveFragment();
    await form.update({
      phase: { name: 'sending' },
      progressMessage: action.kind === 'field' ? this.#texts.confirmWithBank : '',
    });
    if (action.kind === 'redirect') return this.#redirectTo(action.url, outcome, isEarlier);
    if (!(await this.#handleActionInField(action.secret, outcome, isEarlier))) return;
    const newOutcome = await this.#confirmOrCancelAction('confirm', outcome);
    return newOutcome
      ? this.#submission.handleOutcome(newOutcome, isEarlier)
      : this.#submission.showError('payment-failed');
  }

  /**
   * Lets the payment field handle the action. If the field takes longer than
   * {@link RESPONSE_TIME}, the form also offers to continue or cancel. The field might not be
   * responding, or the donor might still be confirming the payment in the field.
   * @returns false if the donor continues or cancels in the form.
   */
  async #handleActionInField(
    secret: string,
    outcome: DonationOutcome,
    isEarlier: boolean,
  ): Promise<boolean> {
    this.stopWaitingForAction();
    let isAbandoned = false;
    const abandoned = new Promise<false>((resolve) => {
      this.#abandonAction = () => {
        isAbandoned = true;
        resolve(false);
      };
    });
    this.#actionTimer = setTimeout(
      () => this.#submission.showPendingAction(outcome, isEarlier),
      RESPONSE_TIME,
    );
    const handleAction = async (): Promise<boolean> => {
      try {
        const field = await this.#payment.mountFieldForOutcome(outcome);
        if (field && !isAbandoned)
          await runWithoutModal(this.#form.element, async () => {
            await Promise.race([field.handleNextAction(secret), abandoned]);
          });
      } catch (error) {
        console.error(
          'donation-form: The payment field could not start the authentication.',
          error,
        );
      }
      return !isAbandoned;
    };
    const isHandled = await Promise.race([handleAction(), abandoned]);
    if (isHandled) this.stopWaitingForAction();
    return isHandled;
  }

  /** Redirects to the bank or payment provider. Shows the action again if the redirect fails. */
  #redirectTo(url: string, outcome: DonationOutcome, isEarlier: boolean): void {
    const showAction = (): void => this.#submission.handleOutcome(outcome, isEarlier);
    if (!/^https?:\/\//i.test(url)) {
      console.error(
        `donation-form: Cannot redirect to ${stringifyJson(url.slice(0, 100))}, which is not an ` +
          'HTTP or HTTPS URL.',
      );
      return showAction();
    }
    this.#actionTimer = setTimeout(showAction, REDIRECT_TIMEOUT);
    location.assign(url);
  }

  /** Resumes the donation after the browser restores this page from the back/forward cache. */
  async handleReturn(): Promise<void> {
    const { phase } = this.#form;
    if (this.#actionTimer === undefined && phase.name !== 'requires_action') return;
    this.stopWaitingForAction();
    const outcome = await this.fetchUnfinishedOutcome();
    if (outcome)
      return this.#submission.handleOutcome(outcome, 'isEarlier' in phase && phase.isEarlier);
    await this.#form.update({ phase: { name: 'filling' }, progressMessage: '' });
    this.#submission.resumeForm();
  }

  /** Continues or cancels the action when the donor presses a button. */
  async continueOrCancelAction(
    step: 'confirm' | 'cancel',
    { outcome, isEarlier }: Extract<Phase, { outcome: DonationOutcome }>,
  ): Promise<void> {
    const { phase } = this.#form;
    if ('step' in phase && (phase.step === 'confirm' || phase.step === 'cancel')) return;
    this.stopWaitingForAction();
    await this.#form.update({ phase: { name: 'requires_action', outcome, isEarlier, step } });
    const newOutcome = await this.#confirmOrCancelAction(step, outcome);
    if (!newOutcome) return this.#submission.showError('payment-failed');
    return step === 'confirm' && !this.hasNetworkError
      ? this.handleAction(newOutcome, isEarlier)
      : this.#submission.handleOutcome(newOutcome, isEarlier);
  }
}

/**
 * Removes payment providers' parameters from the page's URL.
 * @param isReturn true after a return from a payment provider. If false, ambiguous parameters
 *   remain, because they might belong to the page.
 */
function removeProcessorParams(isReturn: boolean): void {
  const url = removeProviderParameters(new URL(location.href), isReturn).href;
  if (url !== location.href) tryStorage(() => history.replaceState(history.state, '', url));
}

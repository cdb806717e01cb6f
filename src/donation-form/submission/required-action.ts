import type { ReceivedOutcome } from '../form/form-store.ts';
import { stringifyJson } from '../page/stringify-json.ts';
import { RESPONSE_TIME } from '../payment-fields/time-limit.ts';
import { removeProcessorParams } from './processor-params.ts';
import { restoreEdits, saveEdits } from './saved-edits.ts';
import type { SelectedPayment } from './selected-payment.ts';
import type { SubmissionContext } from './submission-context.ts';
import type { ActionStep, OutcomeInput, ProblemInput } from './submission-machine.ts';
import { getSubmissionTexts } from './submission-texts.ts';

/** Milliseconds to wait for the browser to leave the page before a redirect counts as failed. */
const REDIRECT_TIMEOUT = 10_000;

/** Action before the charge, in the payment field or on the bank's or provider's page. */
export class RequiredAction {
  readonly #context: SubmissionContext;
  readonly #payment: SelectedPayment;
  #hasReturnedCanceled: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abandon: () => void = () => undefined;
  wasCanceled = false;

  /** @param hasReturnedCanceled true if the donor canceled on the payment provider's page. */
  constructor(context: SubmissionContext, payment: SelectedPayment, hasReturnedCanceled: boolean) {
    this.#context = context;
    this.#payment = payment;
    this.#hasReturnedCanceled = hasReturnedCanceled;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#abandon();
  }

  /** Fetches the outcome of a donation that was unfinished when the donor left the page. */
  async fetchUnfinishedOutcome(): Promise<OutcomeInput | undefined> {
    const { form, client } = this.#context;
    const outcome = await client.fetchLatestOutcome();
    if (outcome) removeProcessorParams(true);
    restoreEdits(form);
    const step = this.#hasReturnedCanceled ? 'cancel' : 'confirm';
    this.#hasReturnedCanceled = false;
    if (!outcome) return undefined;
    const received = { kind: 'outcome', outcome, isEarlier: false } as const;
    if (outcome.status !== 'requires_action') return received;
    const input = await this.requestStep(step, received);
    return input.kind === 'outcome' ? input : undefined;
  }

  /** Resumes the donation after the browser restores this page from the back/forward cache. */
  async resumeAfterReturn(): Promise<void> {
    const { form, dispatch } = this.#context;
    const { phase } = form;
    if (this.#timer === undefined && phase.name !== 'requires_action') return;
    this.stop();
    const input = await this.fetchUnfinishedOutcome();
    const isEarlier = 'isEarlier' in phase && phase.isEarlier;
    dispatch(input ? { ...input, isEarlier } : { kind: 'nothing-unfinished' });
  }

  async requestStep(
    step: ActionStep,
    { outcome, isEarlier }: ReceivedOutcome,
  ): Promise<OutcomeInput | ProblemInput> {
    this.wasCanceled = step === 'cancel';
    const reply = await this.#context.client.requestStep(step);
    if (reply === 'not-found') return { kind: 'problem', notice: 'payment-failed' };
    if (reply.kind === 'outcome') return { ...reply, isEarlier };
    return { kind: 'outcome', outcome, isEarlier, failedRequest: { id: reply.requestId } };
  }

  async start({ outcome, isEarlier }: ReceivedOutcome): Promise<void> {
    const { form, dispatch } = this.#context;
    const action = outcome.action!;
    this.wasCanceled = false;
    saveEdits(form);
    const received = { outcome, isEarlier };
    if (action.kind === 'redirect') return this.#redirectTo(action.url, received);
    await form.update({ progressMessage: getSubmissionTexts(form).confirmWithBank });
    if (await this.#runInField(action.secret, received))
      dispatch(await this.requestStep('confirm', received));
  }

  /**
   * Lets the payment field handle the action. After {@link RESPONSE_TIME}, the form also offers to
   * continue or cancel: the field might not be responding, or the donor might still be confirming.
   * @returns false if the donor continues or cancels in the form.
   */
  async #runInField(secret: string, received: ReceivedOutcome): Promise<boolean> {
    const { form, dispatch } = this.#context;
    this.stop();
    let isAbandoned = false;
    const abandoned = new Promise<false>((resolve) => {
      this.#abandon = () => {
        isAbandoned = true;
        resolve(false);
      };
    });
    this.#timer = setTimeout(() => dispatch({ kind: 'action-slow', ...received }), RESPONSE_TIME);
    const handleAction = async (): Promise<boolean> => {
      try {
        const field = await this.#payment.mountFieldForOutcome(received.outcome);
        if (field && !isAbandoned)
          await runWithoutModal(form.element, async () => {
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
    if (isHandled) this.stop();
    return isHandled;
  }

  #redirectTo(url: string, received: ReceivedOutcome): void {
    const showAction = (): void => this.#context.dispatch({ kind: 'outcome', ...received });
    if (!/^https?:\/\//i.test(url)) {
      console.error(
        `donation-form: Cannot redirect to ${stringifyJson(url.slice(0, 100))}, which is not an ` +
          'HTTP or HTTPS URL.',
      );
      return showAction();
    }
    this.#timer = setTimeout(showAction, REDIRECT_TIMEOUT);
    location.assign(url);
  }
}

/**
 * A modal dialog would cover the provider's frame. A dialog that closes meanwhile remains closed.
 */
async function runWithoutModal(form: HTMLElement, task: () => Promise<void>): Promise<void> {
  const dialog = form.closest('dialog');
  if (!dialog?.matches(':modal')) return task();
  reopenDialog(dialog, () => dialog.show());
  try {
    await task();
  } finally {
    if (dialog.open && dialog.isConnected) reopenDialog(dialog, () => dialog.showModal());
  }
}

/** Hides the `close` event from the page, which might remove a closed dialog. */
function reopenDialog(dialog: HTMLDialogElement, open: () => void): void {
  window.addEventListener('close', (event) => event.stopImmediatePropagation(), {
    capture: true,
    once: true,
  });
  dialog.close();
  open();
}

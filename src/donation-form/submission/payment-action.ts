import type { Outcome } from '@donation-form/core/schemas';
import type { Edits } from '../state/form-state.ts';
import { withoutProcessors } from '@donation-form/core/url';
import type { GiftNotice, SendingTexts } from '@donation-form/core/i18n';
import type { DonationClient } from './donation-client.ts';
import type { FormController, Phase } from '../form/form-controller.ts';
import type { PaymentController } from './payment-controller.ts';
import { withoutModal } from './release-modal.ts';
import { tryStorage } from '../page/session-storage.ts';

/**
 * Milliseconds after which a browser that was sent to another page, and is still here, is taken to
 * stay.
 */
const REDIRECT_TIMEOUT = 10_000;

/**
 * Begins the name under which a form's entries are kept in sessionStorage while the donor is asked:
 * who comes back may come back to a page that was loaded anew.
 */
const STORAGE_PREFIX = 'donation-form-entries ';

/** What follows an action of the donor's: the submission that it belongs to. */
interface Submission {
  handleOutcome(outcome: Outcome, isEarlier?: boolean): void;
  showError(notice: GiftNotice): Promise<void>;
  connect(): void;
}

/**
 * What the donor has to do at the processor or the bank before any money moves: here in the payment
 * field, or on a page that leads back.
 */
export class PaymentActionController {
  readonly #form: FormController;
  readonly #client: DonationClient;
  readonly #payment: PaymentController;
  readonly #texts: SendingTexts;
  readonly #submission: Submission;
  /** The browser was sent to a page of the processor's or a bank's. */
  #redirectTimer: ReturnType<typeof setTimeout> | undefined;
  /** Nothing came back when the endpoint was asked about what the donor had to do. */
  isUnanswered = false;

  constructor(
    live: FormController,
    giving: DonationClient,
    payment: PaymentController,
    texts: SendingTexts,
    submission: Submission,
  ) {
    this.#form = live;
    this.#client = giving;
    this.#payment = payment;
    this.#texts = texts;
    this.#submission = submission;
    removeProcessorParams(false);
  }

  /** The gift has come to something, and the form stays. */
  stopWaiting(): void {
    clearTimeout(this.#redirectTimer);
  }

  /** The outcome of a gift that was under way when the page was left. */
  async findUnfinished(): Promise<Outcome | undefined> {
    const outcome = await this.#client.findUnfinished();
    if (outcome) removeProcessorParams(true);
    this.#restoreValues();
    return outcome?.state === 'action' ? this.#settle('confirm', outcome) : outcome;
  }

  get #storageKey(): string {
    const { loader: source, context } = this.#form;
    return `${STORAGE_PREFIX}${source!.base}${context!.definition.id}`;
  }

  #restoreValues(): void {
    const live = this.#form;
    const kept = tryStorage(() => sessionStorage.getItem(this.#storageKey));
    if (!kept || Object.keys(live.edits).length > 0) return;
    live.edits = JSON.parse(kept) as Edits;
    live.context = live.loader!.createContext(live.context!.definition, live.edits.currency);
  }

  /** The gift has come to its end. */
  clearSavedValues(): void {
    tryStorage(() => sessionStorage.removeItem(this.#storageKey));
  }

  /**
   * What came of what the donor was asked to do, or of taking the gift back.
   * @returns what was known before, where nothing came back; `undefined` where there is no such
   *   gift.
   */
  async #settle(how: 'confirm' | 'cancel', before: Outcome): Promise<Outcome | undefined> {
    const settled = await this.#client.settle(how);
    this.isUnanswered = settled === 'no-answer';
    if (settled === 'unknown') return undefined;
    return settled === 'no-answer' ? before : settled;
  }

  /** Lets the donor do what is asked for, if anything is. */
  async handleAction(outcome: Outcome, isEarlier: boolean): Promise<void> {
    const { state, action } = outcome;
    const live = this.#form;
    if (state !== 'action' || !action) return this.#submission.handleOutcome(outcome, isEarlier);
    tryStorage(() => sessionStorage.setItem(this.#storageKey, JSON.stringify(live.edits)));
    await live.update({
      phase: { name: 'sending' },
      progressMessage: action.kind === 'field' ? this.#texts.acting : '',
    });
    if (action.kind === 'redirect') return this.#redirect(action.url, outcome, isEarlier);
    const field = await this.#payment.mountFieldFor(outcome).catch(() => undefined);
    if (field)
      await withoutModal(live.element, () => field.act(action.secret)).catch((error: unknown) =>
        console.error(
          'donation-form: the payment field could not show what the bank asks for.',
          error,
        ),
      );
    const settled = await this.#settle('confirm', outcome);
    return settled
      ? this.#submission.handleOutcome(settled, isEarlier)
      : this.#submission.showError('not-charged');
  }

  /**
   * Goes to a page of the processor's or a bank's; a form that is still here after a while asks
   * again.
   */
  #redirect(url: string, outcome: Outcome, isEarlier: boolean): void {
    const stay = (): void => this.#submission.handleOutcome(outcome, isEarlier);
    if (!/^https?:\/\//i.test(url)) {
      console.error(
        `donation-form: the payment goes on at ${JSON.stringify(url.slice(0, 100))}, which is no web address.`,
      );
      return stay();
    }
    this.#redirectTimer = setTimeout(stay, REDIRECT_TIMEOUT);
    location.assign(url);
  }

  /** The donor went back from that page, and the browser shows this one as it was. */
  async handleReturn(): Promise<void> {
    const { phase } = this.#form;
    if (this.#redirectTimer === undefined && phase.name !== 'action') return;
    clearTimeout(this.#redirectTimer);
    this.#redirectTimer = undefined;
    const outcome = await this.findUnfinished();
    if (outcome)
      return this.#submission.handleOutcome(outcome, 'isEarlier' in phase && phase.isEarlier);
    await this.#form.update({ phase: { name: 'filling' }, progressMessage: '' });
    this.#submission.connect();
  }

  /** The donor goes on with what is asked for, or gives up. */
  async complete(
    step: 'confirm' | 'cancel',
    { outcome, isEarlier }: Extract<Phase, { outcome: Outcome }>,
  ): Promise<void> {
    const { phase } = this.#form;
    if ('step' in phase && (phase.step === 'confirm' || phase.step === 'cancel')) return;
    await this.#form.update({ phase: { name: 'action', outcome, isEarlier, step } });
    const settled = await this.#settle(step, outcome);
    if (!settled) return this.#submission.showError('not-charged');
    return step === 'confirm' && !this.isUnanswered
      ? this.handleAction(settled, isEarlier)
      : this.#submission.handleOutcome(settled, isEarlier);
  }
}

/**
 * Takes out of the page's address what payment processors append.
 * @param isReturn whether the donor comes back from one: some of its names may be the page's own.
 */
function removeProcessorParams(isReturn: boolean): void {
  const address = withoutProcessors(new URL(location.href), isReturn).href;
  if (address !== location.href) tryStorage(() => history.replaceState(history.state, '', address));
}

import { html, type CSSResult, type TemplateResult } from 'lit';
import type { Outcome } from '@donation-form/core/schemas';
import { cardNumbersIn } from '../state/card-number-check.ts';
import { toDonationRequest } from '../state/to-donation-request.ts';
import { mergeHidden } from '@donation-form/core/settings';
import {
  enSending,
  type GiftNotice,
  type SendingTexts,
  fill,
  plural,
} from '@donation-form/core/i18n';
import { PaymentActionController } from './payment-action.ts';
import {
  DonationFormPendingEvent,
  DonationFormSubmitEvent,
  DonationFormSuccessEvent,
} from '../events/submission-events.ts';
import { validationMessages } from '../form/validation-messages.ts';
import { DonationClient } from './donation-client.ts';
import { reportIgnoredSettings } from '../debug/report-ignored-settings.ts';
import type { FormController, Phase } from '../form/form-controller.ts';
import { createMoneyFormatter } from '../form/money-formatter.ts';
import { PaymentController } from './payment-controller.ts';
import { actionScreen } from '../sections/payment-action.ts';
import { thankYouScreen, thankYouStyles, mention } from '../thank-you/thank-you.ts';
import { updateDebugPanel, giftOf, dispatchChange } from './dispatch-changes.ts';
import { redirectUrl } from '../thank-you/redirect-url.ts';
import { markAnnounced, wasAnnounced } from './announced.ts';
import { takeHoneypotValue, addHoneypot } from './honeypot.ts';
import type { FieldError, Notice } from '../form/view-model.ts';
import { onIdle } from '../page/on-idle.ts';

/**
 * Milliseconds that a page's onSuccess may take before the form goes to the site's own thank-you.
 */
const CALLBACK_TIME = 2_000;

/** Sends the gift of a form: from the press of its button to what came of it. */
export class SubmissionController {
  readonly #form: FormController;
  readonly #client: DonationClient;
  readonly #payment: PaymentController;
  readonly #paymentAction: PaymentActionController;
  readonly #texts: SendingTexts;
  readonly #adoptStyles: (styles: CSSResult) => void;
  readonly #abortController = new AbortController();
  /** The form is on the page, and this sender its own. */
  #isConnected = true;
  /** Whether the gift that was sent last was accepted is not known. */
  isUnknown = false;

  /** @param adopt takes the styles of what is shown later. */
  constructor(live: FormController, adopt: (styles: CSSResult) => void) {
    const { element, loader: source, context } = live;
    this.#form = live;
    this.#texts = source!.tables?.sending ?? enSending;
    this.#client = new DonationClient(
      source!.base,
      context!.definition.id,
      (known) => void this.#adoptOutcome(known),
    );
    this.#payment = new PaymentController(
      live,
      this.#texts,
      () => void this.#showNotice('payment-unavailable'),
    );
    this.#paymentAction = new PaymentActionController(
      live,
      this.#client,
      this.#payment,
      this.#texts,
      this,
    );
    this.#adoptStyles = adopt;
    adopt(thankYouStyles);
    const root = element.shadowRoot!;
    const { signal } = this.#abortController;
    root.addEventListener(
      'focusout',
      (event) =>
        this.#validateOnBlur(
          (event as FocusEvent).target as HTMLInputElement,
          (event as FocusEvent).relatedTarget !== null,
        ),
      { signal },
    );
    root.addEventListener('click', (event) => this.#focusCustomAmount(event as MouseEvent), {
      signal,
    });
    addEventListener(
      'pageshow',
      ({ persisted }) => {
        if (persisted && this.#isConnected) void this.#paymentAction.handleReturn();
      },
      { signal },
    );
    if (!element.isConnected) this.disconnect();
    onIdle(() => {
      if (live.loader === source)
        void live.update({
          write: createMoneyFormatter(source!.language, source!.texts.direction),
        });
    });
  }

  /** The form is on the page. */
  connect(): void {
    if (this.#abortController.signal.aborted) return;
    this.#isConnected = true;
    this.#client.resume();
    const { phase } = this.#form;
    if (phase.name === 'filling') {
      this.#payment.show();
      this.#client.prepare();
      void this.#form.element.updateComplete.then(() => addHoneypot(this.#formElement));
    }
    if (phase.name === 'checking' || phase.name === 'action')
      this.#pollOutcome(phase.outcome.state, phase.isEarlier);
    if (phase.name === 'thanks' || phase.name === 'pending') this.#client.forgetKey();
  }

  /** The form has left the page. */
  disconnect(): void {
    this.#isConnected = false;
    this.#payment.remove();
    this.#client.pause();
  }

  /** Another sender takes its place. */
  dispose(): void {
    this.disconnect();
    this.#form.paymentReplacement = undefined;
    this.#abortController.abort();
  }

  /** The next gift is another one. */
  startOver(): void {
    this.#client.forgetKey();
    this.connect();
  }

  /** The outcome of a gift that was under way when the page was left. */
  findUnfinished(): Promise<Outcome | undefined> {
    return this.#paymentAction.findUnfinished();
  }

  /**
   * Tells the page what was ignored of its settings, and that the gift changed; shows where
   * settings came from where somebody wants to see it.
   */
  notify(): void {
    reportIgnoredSettings(this.#form.element, this.#form.loader!, this.#form.context!.definition);
    this.notifyChange();
    updateDebugPanel(this.#form, this.#adoptStyles).catch(() => undefined);
  }

  notifyChange(): void {
    dispatchChange(this.#form);
    if (this.#isConnected && this.#form.phase.name === 'filling') this.#payment.update();
  }

  /**
   * Flags an e-mail address or an amount that cannot be one, and a card number in a field of
   * another kind, as soon as the donor leaves it. Where the donor leaves it by pressing something,
   * that is let go first:
   * the new line would move it away from under the pointer, and the click would be lost.
   */
  #validateOnBlur(left: HTMLInputElement, mayBePressing: boolean): void {
    const { name, value, isConnected } = left;
    const control = name === 'customAmount' ? 'amount' : name;
    if (
      value === '' ||
      !isConnected ||
      !(
        ['customAmount', 'email'].includes(name) ||
        cardNumbersIn(this.#form.state, this.#form.context!).includes(control)
      )
    )
      return;
    if (mayBePressing || this.#form.element.shadowRoot!.querySelector(':active'))
      setTimeout(() => this.#validateOnBlur(left, false), 50);
    else
      this.flag(
        (one) =>
          one === control ||
          this.#form.fieldErrors.some((validate) => validate.control === control),
      );
  }

  /** Flags what is wrong with these controls now, and no others. */
  flag(isMeant: (control: string) => boolean): void {
    const { notice } = this.#form;
    const fieldErrors = validationMessages(this.#form, this.#texts).filter(({ control }) =>
      isMeant(control),
    );
    void this.#form.update({
      fieldErrors,
      ...(notice === 'problems' && {
        notice: fieldErrors.length > 0 ? notice : undefined,
        noticeText: this.#countErrors(fieldErrors),
      }),
    });
  }

  #countErrors(fieldErrors: readonly FieldError[]): string {
    return plural(this.#texts.problems, fieldErrors.length, this.#form.loader!.language);
  }

  /** Leads to a control, or to the card. */
  focusControl(control: string): void {
    if (control === 'payment') return void this.#payment.focus();
    const root = this.#form.element.shadowRoot!;
    (
      root.getElementById(`${control}-control`) ??
      root.querySelector<HTMLElement>(`[name="${CSS.escape(control)}"]`)
    )?.focus();
  }

  /**
   * The tile of the donor's own amount is one target: a press anywhere on it chooses it and leads
   * into its field.
   */
  #focusCustomAmount(event: MouseEvent): void {
    const target = event.target as Element;
    const own = target.closest('.own');
    const isArrowKey = event.detail === 0;
    if (!own || isArrowKey) return;
    if (target.localName === 'label') event.preventDefault();
    this.#form.edit({ choice: 'custom' });
    own.querySelector<HTMLElement>('#amount-control')?.focus();
  }

  /** @param refresh reads the settings again: they may change until now. */
  async submit(refresh: () => void): Promise<void> {
    const live = this.#form;
    if (live.phase.name !== 'filling') return;
    const before = serializeShown(live);
    refresh();
    if (before !== serializeShown(live)) return this.showError('settings-changed');
    const { state, sums, loader: source } = live;
    const context = live.context!;
    const fieldErrors = validationMessages(live, this.#texts);
    if (fieldErrors.length > 0 || !sums) {
      await live.update({
        fieldErrors,
        notice: 'problems',
        noticeText: this.#countErrors(fieldErrors),
      });
      live.dispatchError('fields');
      return this.#focus('#notice');
    }
    void live.update({ fieldErrors, notice: undefined });
    if (
      !live.element.dispatchEvent(
        new DonationFormSubmitEvent(giftOf(live), context.definition.isTest),
      )
    )
      return;

    this.#focus('button[type=submit]');
    void live.update({ phase: { name: 'sending' } });
    const request = toDonationRequest(
      source!.optionalSections?.address?.within(state) ?? state,
      sums,
      context,
      {
        hidden: mergeHidden(context.definition, source!.candidates()).settings,
        more: source!.optionalSections?.ofGift(state, context, sums.amount),
        definition: source!.etag,
        language: source!.language,
        page: new URL(location.href),
      },
    );
    const payment = await this.#payment.confirm(request.donor);
    if ('problem' in payment) return this.#showPaymentError(payment.problem);
    const website = takeHoneypotValue(this.#formElement);
    const answer = await this.#client.send({
      ...request,
      payment,
      ...(website && { form: { ...request.form, website } }),
    });
    this.isUnknown = 'code' in answer && answer.code === 'no-answer';
    if ('outcome' in answer)
      return answer.isEarlier || !live.element.isConnected
        ? this.handleOutcome(answer.outcome, answer.isEarlier)
        : this.#paymentAction.handleAction(answer.outcome, false);
    return answer.notice === 'form-outdated'
      ? this.#showNewDefinition()
      : this.showError(answer.notice, answer.code, answer.wait, answer.request);
  }

  async #showPaymentError(problem: 'incomplete' | 'failed' | 'unavailable'): Promise<void> {
    await this.showError(
      (
        {
          incomplete: 'card-incomplete',
          failed: 'card-failed',
          unavailable: 'payment-unavailable',
        } as const
      )[problem],
    );
    if (problem === 'incomplete') await this.#payment.focus();
  }

  async #showNewDefinition(): Promise<void> {
    const live = this.#form;
    const { payments } = live.context!.definition;
    try {
      live.context = await live.loader!.load(live.edits.currency);
      for (const styles of live.loader!.styles) this.#adoptStyles(styles);
    } catch {
      return this.showError('no-answer');
    }
    if (JSON.stringify(live.context.definition.payments) !== JSON.stringify(payments))
      this.#payment.remove();
    return this.showError('form-outdated');
  }

  /** @param isEarlier the gift is the one that was sent before the donor changed something. */
  handleOutcome(outcome: Outcome, isEarlier = false): void {
    const live = this.#form;
    const { state, reference, gift, response } = outcome;
    const isHere = live.element.isConnected;
    const { key = reference, successor } = this.#client;
    this.#paymentAction.stopWaiting();
    if (!isHere && successor) return successor(outcome);
    if (state === 'checking' || state === 'action') {
      const before = live.phase;
      void live
        .update({
          phase: {
            name: state,
            outcome,
            isEarlier,
            ...(this.#paymentAction.isUnanswered && {
              step: 'no-answer',
              request: this.#client.failedRequest,
            }),
          },
          progressMessage: '',
        })
        .then(() => {
          if (before.name !== state) this.#focus('h2');
        });
      if (state === 'checking') live.dispatchError(state);
      return this.#pollOutcome(state, isEarlier);
    }
    // Where no form is there to show it, the key stays open: the next form asks by it, and shows
    // it.
    if (isHere || state === 'declined') {
      this.#client.forgetKey();
      this.#paymentAction.clearSavedValues();
    }
    if (state === 'declined') return void this.showError(outcome.reason ?? 'card-declined');
    void this.#showResult({ name: state === 'pending' ? state : 'thanks', outcome, isEarlier });
    this.#payment.remove();
    if (wasAnnounced(key)) return;
    markAnnounced(key);
    const { isTest, currencies } = live.context!.definition;
    const given = {
      ...gift,
      decimals: currencies.find(({ code }) => code === gift.currency)?.decimals ?? 2,
    };
    (isHere ? live.element : document).dispatchEvent(
      state === 'pending'
        ? new DonationFormPendingEvent(reference, given, isTest)
        : new DonationFormSuccessEvent(reference, given, response!, isTest),
    );
    const heard = state === 'pending' ? undefined : live.loader!.page.call('onSuccess', response);
    const address = isHere ? redirectUrl(live.element.thanksUrl) : undefined;
    if (address)
      void Promise.race([
        heard,
        new Promise((resolve) => {
          setTimeout(resolve, CALLBACK_TIME);
        }),
      ]).then(() => location.assign(address));
  }

  /** A form that left while it sent a gift has its answer, and this one has taken its place. */
  async #adoptOutcome(known: Outcome): Promise<void> {
    const { element } = this.#form;
    const isFilled = (): boolean => this.#form.phase.name === 'filling';
    if (this.#form.phase.name === 'loading')
      element.addEventListener('donation-form-load', () => void this.#adoptOutcome(known), {
        once: true,
      });
    const asked = isFilled() ? await this.#paymentAction.findUnfinished() : undefined;
    const isNew =
      ['succeeded', 'pending'].includes(known.state) &&
      !wasAnnounced(this.#client.key ?? known.reference);
    const outcome = asked ?? (isNew ? known : undefined);
    if (outcome && isFilled()) this.handleOutcome(outcome);
  }

  #pollOutcome(state: Outcome['state'], isEarlier: boolean): void {
    if (this.#isConnected)
      this.#client.poll(state, (outcome) => this.handleOutcome(outcome, isEarlier));
  }

  async #showResult(phase: Phase): Promise<void> {
    await this.#form.update({ phase, progressMessage: '' });
    this.#focus('h2');
  }

  /** The screen of a gift that was sent. */
  renderResult(phase: Extract<Phase, { outcome: Outcome }>): TemplateResult {
    return phase.name === 'action'
      ? actionScreen(
          phase,
          this.#form,
          this.#texts,
          (step) => void this.#paymentAction.complete(step, phase),
        )
      : thankYouScreen(phase, this.#form, this.#texts);
  }

  /**
   * Shows the form again, with everything that was typed, and says why.
   * @param wait seconds.
   * @param request what the server's log calls it.
   */
  async showError(
    notice: GiftNotice | 'payment-unavailable',
    code: string = notice,
    wait = 0,
    request?: string,
  ): Promise<void> {
    Object.assign(this.#form, { phase: { name: 'filling' }, progressMessage: '' });
    await this.#showNotice(notice, wait, request);
    this.#form.dispatchError(code);
    if (this.#isConnected) this.connect();
    if (notice !== 'card-incomplete') this.#focus('#notice');
  }

  #showNotice(notice: Exclude<Notice, 'problems'>, wait = 0, request?: string): Promise<boolean> {
    const { loader: source, context } = this.#form;
    const { name, contact } = context!.definition.organization;
    const time =
      wait &&
      new Date(Date.now() + wait * 1_000 + 59_999).toLocaleTimeString(source!.language, {
        timeStyle: 'short',
      });
    const text = fill(this.#noticeText(notice), { organization: name, contact, time });
    return this.#form.update({ notice, noticeText: html`${text}${mention(request, this.#texts)}` });
  }

  #noticeText(notice: Exclude<Notice, 'problems'>): string {
    if (notice !== 'payment-unavailable') return this.#texts.notices[notice];
    return this.#payment.isHosted
      ? this.#texts.hosted
      : this.#form.loader!.texts.paymentUnavailable;
  }

  get #formElement(): HTMLFormElement | null {
    return this.#form.element.shadowRoot!.querySelector('form');
  }

  #focus(selector: string): void {
    this.#form.element.shadowRoot!.querySelector<HTMLElement>(selector)?.focus();
  }
}

/** All that a donor sees of the gift; hidden values may change unseen. */
function serializeShown({ context, state, sums, loader: source }: FormController): string {
  const { settings, definition } = context!;
  const { frequency, coverCosts, projectId, donor, comment, more } = state;
  const parts =
    sums && source!.optionalSections?.ofGift(state, context!, sums.amount).gift.projects;
  return JSON.stringify([
    settings.currency.code,
    settings.isProjectFixed,
    frequency,
    coverCosts,
    projectId,
    parts,
    sums,
    definition.donorFields.map(({ name }) => donor[name] ?? ''),
    comment,
    more,
  ]);
}

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
import { Acting } from './payment-action.ts';
import {
  DonationFormPendingEvent,
  DonationFormSubmitEvent,
  DonationFormSuccessEvent,
} from '../events/submission-events.ts';
import { flagsOf } from '../form/validation-messages.ts';
import { Giving } from './donation-client.ts';
import { tellIgnored } from '../debug/report-ignored-settings.ts';
import type { LiveForm, Phase } from '../form/form-controller.ts';
import { moneyWriter } from '../form/money-formatter.ts';
import { Paying } from './payment-controller.ts';
import { actionScreen } from '../sections/payment-action.ts';
import { endingScreen, endingStyles, mention } from '../thank-you/thank-you.ts';
import { showSettings, shownGift, tellChange } from './dispatch-changes.ts';
import { thanksAddress } from '../thank-you/redirect-url.ts';
import { noteTold, wasTold } from './announced.ts';
import { emptyTrap, setTrap } from './honeypot.ts';
import type { Flag, Notice } from '../form/view-model.ts';
import { whenIdle } from '../page/on-idle.ts';

/**
 * Milliseconds that a page's onSuccess may take before the form goes to the site's own thank-you.
 */
const CALLBACK_TIME = 2_000;

/** Sends the gift of a form: from the press of its button to what came of it. */
export class Sender {
  readonly #live: LiveForm;
  readonly #giving: Giving;
  readonly #payment: Paying;
  readonly #acting: Acting;
  readonly #texts: SendingTexts;
  readonly #adopt: (styles: CSSResult) => void;
  readonly #leaving = new AbortController();
  /** The form is on the page, and this sender its own. */
  #isHere = true;
  /** Whether the gift that was sent last was accepted is not known. */
  isUnknown = false;

  /** @param adopt takes the styles of what is shown later. */
  constructor(live: LiveForm, adopt: (styles: CSSResult) => void) {
    const { element, source, offer } = live;
    this.#live = live;
    this.#texts = source!.tables?.sending ?? enSending;
    this.#giving = new Giving(
      source!.base,
      offer!.definition.id,
      (known) => void this.#takeOver(known),
    );
    this.#payment = new Paying(live, this.#texts, () => void this.#note('payment-unavailable'));
    this.#acting = new Acting(live, this.#giving, this.#payment, this.#texts, this);
    this.#adopt = adopt;
    adopt(endingStyles);
    const root = element.shadowRoot!;
    const { signal } = this.#leaving;
    root.addEventListener(
      'focusout',
      (event) =>
        this.#checkLeft(
          (event as FocusEvent).target as HTMLInputElement,
          (event as FocusEvent).relatedTarget !== null,
        ),
      { signal },
    );
    root.addEventListener('click', (event) => this.#leadIntoOwnAmount(event as MouseEvent), {
      signal,
    });
    addEventListener(
      'pageshow',
      ({ persisted }) => {
        if (persisted && this.#isHere) void this.#acting.comeBack();
      },
      { signal },
    );
    if (!element.isConnected) this.leave();
    whenIdle(() => {
      if (live.source === source)
        void live.show({ write: moneyWriter(source!.language, source!.texts.direction) });
    });
  }

  /** The form is on the page. */
  enter(): void {
    if (this.#leaving.signal.aborted) return;
    this.#isHere = true;
    this.#giving.resume();
    const { phase } = this.#live;
    if (phase.name === 'filling') {
      this.#payment.show();
      this.#giving.prepare();
      void this.#live.element.updateComplete.then(() => setTrap(this.#form));
    }
    if (phase.name === 'checking' || phase.name === 'action')
      this.#watch(phase.outcome.state, phase.isEarlier);
    if (phase.name === 'thanks' || phase.name === 'pending') this.#giving.end();
  }

  /** The form has left the page. */
  leave(): void {
    this.#isHere = false;
    this.#payment.remove();
    this.#giving.pause();
  }

  /** Another sender takes its place. */
  end(): void {
    this.leave();
    this.#live.aside = undefined;
    this.#leaving.abort();
  }

  /** The next gift is another one. */
  forget(): void {
    this.#giving.end();
    this.enter();
  }

  /** The outcome of a gift that was under way when the page was left. */
  unfinished(): Promise<Outcome | undefined> {
    return this.#acting.unfinished();
  }

  /**
   * Tells the page what was ignored of its settings, and that the gift changed; shows where
   * settings came from where somebody wants to see it.
   */
  tell(): void {
    tellIgnored(this.#live.element, this.#live.source!, this.#live.offer!.definition);
    this.tellChange();
    showSettings(this.#live, this.#adopt).catch(() => undefined);
  }

  tellChange(): void {
    tellChange(this.#live);
    if (this.#isHere && this.#live.phase.name === 'filling') this.#payment.update();
  }

  /**
   * Flags an e-mail address or an amount that cannot be one, and a card number in a field of
   * another kind, as soon as the donor leaves it. Where the donor leaves it by pressing something,
   * that is let go first:
   * the new line would move it away from under the pointer, and the click would be lost.
   */
  #checkLeft(left: HTMLInputElement, mayBePressing: boolean): void {
    const { name, value, isConnected } = left;
    const control = name === 'customAmount' ? 'amount' : name;
    if (
      value === '' ||
      !isConnected ||
      !(
        ['customAmount', 'email'].includes(name) ||
        cardNumbersIn(this.#live.state, this.#live.offer!).includes(control)
      )
    )
      return;
    if (mayBePressing || this.#live.element.shadowRoot!.querySelector(':active'))
      setTimeout(() => this.#checkLeft(left, false), 50);
    else
      this.flag(
        (one) => one === control || this.#live.flags.some((flag) => flag.control === control),
      );
  }

  /** Flags what is wrong with these controls now, and no others. */
  flag(isMeant: (control: string) => boolean): void {
    const { notice } = this.#live;
    const flags = flagsOf(this.#live, this.#texts).filter(({ control }) => isMeant(control));
    void this.#live.show({
      flags,
      ...(notice === 'problems' && {
        notice: flags.length > 0 ? notice : undefined,
        noticeText: this.#countOf(flags),
      }),
    });
  }

  #countOf(flags: readonly Flag[]): string {
    return plural(this.#texts.problems, flags.length, this.#live.source!.language);
  }

  /** Leads to a control, or to the card. */
  lead(control: string): void {
    if (control === 'payment') return void this.#payment.focus();
    const root = this.#live.element.shadowRoot!;
    (
      root.getElementById(`${control}-control`) ??
      root.querySelector<HTMLElement>(`[name="${CSS.escape(control)}"]`)
    )?.focus();
  }

  /**
   * The tile of the donor's own amount is one target: a press anywhere on it chooses it and leads
   * into its field.
   */
  #leadIntoOwnAmount(event: MouseEvent): void {
    const target = event.target as Element;
    const own = target.closest('.own');
    const isArrowKey = event.detail === 0;
    if (!own || isArrowKey) return;
    if (target.localName === 'label') event.preventDefault();
    this.#live.edit({ choice: 'custom' });
    own.querySelector<HTMLElement>('#amount-control')?.focus();
  }

  /** @param refresh reads the settings again: they may change until now. */
  async submit(refresh: () => void): Promise<void> {
    const live = this.#live;
    if (live.phase.name !== 'filling') return;
    const before = shownBy(live);
    refresh();
    if (before !== shownBy(live)) return this.refuse('settings-changed');
    const { state, sums, source } = live;
    const offer = live.offer!;
    const flags = flagsOf(live, this.#texts);
    if (flags.length > 0 || !sums) {
      await live.show({ flags, notice: 'problems', noticeText: this.#countOf(flags) });
      live.report('fields');
      return this.#focus('#notice');
    }
    void live.show({ flags, notice: undefined });
    if (
      !live.element.dispatchEvent(
        new DonationFormSubmitEvent(shownGift(live), offer.definition.isTest),
      )
    )
      return;

    this.#focus('button[type=submit]');
    void live.show({ phase: { name: 'sending' } });
    const request = toDonationRequest(source!.more?.address?.within(state) ?? state, sums, offer, {
      hidden: mergeHidden(offer.definition, source!.candidates()).settings,
      more: source!.more?.ofGift(state, offer, sums.amount),
      definition: source!.etag,
      language: source!.language,
      page: new URL(location.href),
    });
    const payment = await this.#payment.confirm(request.donor);
    if ('problem' in payment) return this.#refusePayment(payment.problem);
    const website = emptyTrap(this.#form);
    const answer = await this.#giving.send({
      ...request,
      payment,
      ...(website && { form: { ...request.form, website } }),
    });
    this.isUnknown = 'code' in answer && answer.code === 'no-answer';
    if ('outcome' in answer)
      return answer.isEarlier || !live.element.isConnected
        ? this.conclude(answer.outcome, answer.isEarlier)
        : this.#acting.carryOn(answer.outcome, false);
    return answer.notice === 'definition-changed'
      ? this.#showNewDefinition()
      : this.refuse(answer.notice, answer.code, answer.wait, answer.request);
  }

  async #refusePayment(problem: 'incomplete' | 'failed' | 'unavailable'): Promise<void> {
    await this.refuse(
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
    const live = this.#live;
    const { payments } = live.offer!.definition;
    try {
      live.offer = await live.source!.load(live.edits.currency);
      for (const styles of live.source!.styles) this.#adopt(styles);
    } catch {
      return this.refuse('no-answer');
    }
    if (JSON.stringify(live.offer.definition.payments) !== JSON.stringify(payments))
      this.#payment.remove();
    return this.refuse('definition-changed');
  }

  /** @param isEarlier the gift is the one that was sent before the donor changed something. */
  conclude(outcome: Outcome, isEarlier = false): void {
    const live = this.#live;
    const { state, reference, gift, response } = outcome;
    const isHere = live.element.isConnected;
    const { key = reference, successor } = this.#giving;
    this.#acting.rest();
    if (!isHere && successor) return successor(outcome);
    if (state === 'checking' || state === 'action') {
      const before = live.phase;
      void live
        .show({
          phase: {
            name: state,
            outcome,
            isEarlier,
            ...(this.#acting.isUnanswered && {
              step: 'no-answer',
              request: this.#giving.failedRequest,
            }),
          },
          waiting: '',
        })
        .then(() => {
          if (before.name !== state) this.#focus('h2');
        });
      if (state === 'checking') live.report(state);
      return this.#watch(state, isEarlier);
    }
    // Where no form is there to show it, the key stays open: the next form asks by it, and shows
    // it.
    if (isHere || state === 'declined') {
      this.#giving.end();
      this.#acting.forget();
    }
    if (state === 'declined') return void this.refuse(outcome.reason ?? 'card-declined');
    void this.#end({ name: state === 'pending' ? state : 'thanks', outcome, isEarlier });
    this.#payment.remove();
    if (wasTold(key)) return;
    noteTold(key);
    const { isTest, currencies } = live.offer!.definition;
    const given = {
      ...gift,
      decimals: currencies.find(({ code }) => code === gift.currency)?.decimals ?? 2,
    };
    (isHere ? live.element : document).dispatchEvent(
      state === 'pending'
        ? new DonationFormPendingEvent(reference, given, isTest)
        : new DonationFormSuccessEvent(reference, given, response!, isTest),
    );
    const heard = state === 'pending' ? undefined : live.source!.page.call('onSuccess', response);
    const address = isHere ? thanksAddress(live.element.thanksUrl) : undefined;
    if (address)
      void Promise.race([
        heard,
        new Promise((resolve) => {
          setTimeout(resolve, CALLBACK_TIME);
        }),
      ]).then(() => location.assign(address));
  }

  /** A form that left while it sent a gift has its answer, and this one has taken its place. */
  async #takeOver(known: Outcome): Promise<void> {
    const { element } = this.#live;
    const isFilled = (): boolean => this.#live.phase.name === 'filling';
    if (this.#live.phase.name === 'loading')
      element.addEventListener('donation-form-load', () => void this.#takeOver(known), {
        once: true,
      });
    const asked = isFilled() ? await this.#acting.unfinished() : undefined;
    const isNew =
      ['succeeded', 'pending'].includes(known.state) &&
      !wasTold(this.#giving.key ?? known.reference);
    const outcome = asked ?? (isNew ? known : undefined);
    if (outcome && isFilled()) this.conclude(outcome);
  }

  #watch(state: Outcome['state'], isEarlier: boolean): void {
    if (this.#isHere) this.#giving.watch(state, (outcome) => this.conclude(outcome, isEarlier));
  }

  async #end(phase: Phase): Promise<void> {
    await this.#live.show({ phase, waiting: '' });
    this.#focus('h2');
  }

  /** The screen of a gift that was sent. */
  screen(phase: Extract<Phase, { outcome: Outcome }>): TemplateResult {
    return phase.name === 'action'
      ? actionScreen(phase, this.#live, this.#texts, (step) => void this.#acting.take(step, phase))
      : endingScreen(phase, this.#live, this.#texts);
  }

  /**
   * Shows the form again, with everything that was typed, and says why.
   * @param wait seconds.
   * @param request what the server's log calls it.
   */
  async refuse(
    notice: GiftNotice | 'payment-unavailable',
    code: string = notice,
    wait = 0,
    request?: string,
  ): Promise<void> {
    Object.assign(this.#live, { phase: { name: 'filling' }, waiting: '' });
    await this.#note(notice, wait, request);
    this.#live.report(code);
    if (this.#isHere) this.enter();
    if (notice !== 'card-incomplete') this.#focus('#notice');
  }

  #note(notice: Exclude<Notice, 'problems'>, wait = 0, request?: string): Promise<boolean> {
    const { source, offer } = this.#live;
    const { name, contact } = offer!.definition.organization;
    const time =
      wait &&
      new Date(Date.now() + wait * 1_000 + 59_999).toLocaleTimeString(source!.language, {
        timeStyle: 'short',
      });
    const text = fill(this.#noticeText(notice), { organization: name, contact, time });
    return this.#live.show({ notice, noticeText: html`${text}${mention(request, this.#texts)}` });
  }

  #noticeText(notice: Exclude<Notice, 'problems'>): string {
    if (notice !== 'payment-unavailable') return this.#texts.notices[notice];
    return this.#payment.isHosted
      ? this.#texts.hosted
      : this.#live.source!.texts.paymentUnavailable;
  }

  get #form(): HTMLFormElement | null {
    return this.#live.element.shadowRoot!.querySelector('form');
  }

  #focus(selector: string): void {
    this.#live.element.shadowRoot!.querySelector<HTMLElement>(selector)?.focus();
  }
}

/** All that a donor sees of the gift; hidden values may change unseen. */
function shownBy({ offer, state, sums, source }: LiveForm): string {
  const { settings, definition } = offer!;
  const { frequency, coverCosts, projectId, donor, comment, more } = state;
  const parts = sums && source!.more?.ofGift(state, offer!, sums.amount).gift.projects;
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

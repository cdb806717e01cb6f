import { html, nothing, type CSSResult, type PropertyValues, type TemplateResult } from 'lit';
import type { Outcome } from '../contract/outcome.ts';
import { problemsOf, stateOf, sumsOf, withEntries, type Edits, type FormProblem, type FormState, type Offer, type Sums } from '../form/state.ts';
import { formatMoney } from '../model/money.ts';
import type { PaymentSlot } from '../payment/payment-slot.ts';
import { COMPONENT_PROPERTIES } from '../settings/component.ts';
import type { Explanation } from '../settings/explain.ts';
import { en } from '../texts/en.ts';
import { DonationFormErrorEvent, DonationFormLoadEvent, DonationFormSubmitEvent, DonationFormSuccessEvent } from './events.ts';
import type { Giving } from './giving.ts';
import { OfferSource } from './offer-source.ts';
import { Page } from './page.ts';
import { donorSection } from './sections/donor.ts';
import { finishSection, paymentSection } from './sections/finish.ts';
import { amountSection, costsSection, frequencySection, purposeSection } from './sections/gift.ts';
import { loadingScreen, unavailableScreen } from './sections/screens.ts';
import { hasOpenAttempt } from './storage.ts';
import { styles } from './styles.ts';
import { DonationFormTag } from './tag.ts';
import type { Notice, View } from './view.ts';

const loadSending = () => import('./sending.ts');

/** What the element shows. */
type Phase =
  | { readonly name: 'loading' | 'unavailable' | 'insecure' | 'filling' | 'sending' }
  | { readonly name: 'checking' | 'thanks'; readonly outcome: Outcome; readonly isEarlier: boolean };

/**
 * A donation form.
 *
 * @slot - what stands in the element until the form is shown, and stays where it cannot be: a link to another way of giving
 * @slot payment - the payment provider's field; the element fills it itself
 * @slot thanks - the site's own words under the thank-you
 * @csspart frequency, amount, purpose, donor, payment, costs, notice, button, checking, thanks, debug
 * @cssprop --donation-accent - the one strong colour; also --donation-on-accent, -text, -muted, -field, -line, -danger, -radius, -gap
 * @fires donation-form-load, donation-form-setting-ignored (cancelable), donation-form-submit (cancelable), donation-form-success, donation-form-error, donation-form-callback-error
 */
export class DonationFormElement extends DonationFormTag {
  static override styles = styles;
  static override properties = {
    phase: { state: true },
    edits: { state: true },
    problems: { state: true },
    notice: { state: true },
    debugPanel: { state: true },
  };

  /** The release of this script. */
  static readonly version: string = '0.1.0';

  /** Where forms are served when an element does not say: the script that pages embed sets it to its own directory. */
  static defaultEndpoint: string | undefined;

  private declare phase: Phase;
  private declare edits: Edits;
  private declare problems: readonly FormProblem[];
  private declare notice: Notice | undefined;
  private declare debugPanel: TemplateResult | undefined;

  /** What is needed from the moment that the gift is sent, fetched while the form is filled in. */
  #sending: typeof import('./sending.ts') | undefined;
  #wasLoadCalled = false;
  #offer: Offer | undefined;
  /** Where the form is being loaded from, or was. */
  #source: OfferSource | undefined;
  #giving: Giving | undefined;
  #payment: PaymentSlot | undefined;
  readonly #texts = en;

  constructor() {
    super();
    this.phase = { name: 'loading' };
    this.problems = [];
    this.edits = {};
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#giving?.resume();
    if (this.#source === undefined) void this.#load();
    else if (this.phase.name === 'loading') this.#readPage();
    else if (this.phase.name === 'filling') {
      this.#readPage();
      this.#showPayment();
    } else if (this.phase.name === 'checking') this.#watch(this.phase.isEarlier);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#payment?.remove();
    this.#giving?.pause();
  }

  /** Reads the page's address anew, and its settings. */
  #readPage(): void {
    if (this.#source) this.#source.page = new Page(this);
    this.refresh();
  }

  /** Reads the page's settings again, at once. They are read again when the gift is sent in any case. What the donor entered stays. */
  refresh(): void {
    if (!this.#offer || this.phase.name !== 'filling') return;
    this.#readControls();
    this.#offer = this.#source!.offer(this.#offer.definition);
    this.#callOnLoad();
    this.#tellSettings();
    this.requestUpdate();
  }

  /** For every setting: what decided it and by which name, what it beat, and what was ignored and why. `undefined` while no form is loaded. */
  async explain(): Promise<Explanation | undefined> {
    return this.#offer && this.#source?.explain(this.#offer);
  }

  protected override willUpdate(changed: PropertyValues): void {
    const isAtRest = this.phase.name === 'loading' || this.phase.name === 'filling';
    if (isAtRest && this.#source && (this.#source.base !== this.#base || this.#source.formId !== this.formId)) void this.#load();
    else if (changed.has('urlParams') || changed.has('ignoreParams')) this.#readPage();
    else if (['settings', 'settingsKey', 'debug', ...Object.keys(COMPONENT_PROPERTIES)].some((name) => changed.has(name))) this.refresh();
  }

  protected override render(): TemplateResult {
    return html`<div class="root">${this.#screen()}${this.debugPanel}</div>`;
  }

  #screen(): TemplateResult {
    const { phase } = this, offer = this.#offer, texts = this.#texts;
    if (phase.name === 'unavailable' || phase.name === 'insecure') return unavailableScreen(texts, phase.name === 'insecure', () => void this.#loadAgain());
    if (!offer || phase.name === 'loading') return loadingScreen(texts);
    const ribbon = offer.definition.isTest ? html`<p class="ribbon">${texts.testRibbon}</p>` : nothing;
    if (phase.name === 'checking') return html`${ribbon}${this.#sending!.checkingScreen(this.#sending!.texts, offer.definition, phase.outcome)}`;
    if (phase.name === 'thanks') {
      const money = (minor: number): string => this.#money(minor, phase.outcome.gift.currency);
      return html`${ribbon}${this.#sending!.thanksScreen(this.#sending!.texts, offer.definition, phase.outcome, { money, rhythm: texts.rhythms[phase.outcome.gift.frequency], name: this.#state.donor.firstName, isEarlier: phase.isEarlier })}`;
    }
    const view: View = {
      texts, offer, state: this.#state, sums: sumsOf(this.#state, offer), problems: this.problems, notice: this.notice, sendingTexts: this.#sending?.texts,
      isSending: phase.name === 'sending', money: (minor) => this.#money(minor, offer.settings.currency.code),
    };
    return html`
      <form novalidate @submit=${this.#submit} @input=${this.#readControls} @focusout=${this.#checkLeft}>
        <div class="sections" ?inert=${view.isSending}>
          ${ribbon}${frequencySection(view)}${amountSection(view)}${purposeSection(view)}${donorSection(view)}${paymentSection(view)}${costsSection(view)}
        </div>
        ${finishSection(view)}
      </form>`;
  }

  protected override firstUpdated(): void {
    this.shadowRoot!.addEventListener('click', (event) => this.#chooseOwnAmount(event as MouseEvent));
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('phase') && (this.phase.name === 'thanks' || this.phase.name === 'checking')) this.renderRoot.querySelector<HTMLElement>('h2')?.focus();
  }

  get #state(): FormState {
    return stateOf(this.#offer!, this.edits);
  }

  /** The endpoint's address, ending in a slash. */
  get #base(): string {
    return new URL(this.endpoint ?? DonationFormElement.defaultEndpoint ?? '/', document.baseURI).href.replace(/\/?$/, '/');
  }

  get #form(): HTMLFormElement | null {
    return this.renderRoot.querySelector('form');
  }

  /** Fetches the form, merges the settings, and asks first about a gift whose outcome was not known when the page was left. */
  async #load(): Promise<void> {
    if (!isSecureContext) {
      this.phase = { name: 'insecure' };
      return;
    }
    const source = this.#source = new OfferSource(this.#base, this.formId, new Page(this));
    this.phase = { name: 'loading' };
    loadSending().catch(() => undefined);
    this.#giving?.pause();
    this.#giving = undefined;
    let unfinished: Outcome | undefined;
    try {
      const offer = await source.load();
      if (source !== this.#source) return;
      this.#offer = offer;
      if (hasOpenAttempt()) unfinished = await (await this.#prepareSending())?.unfinished();
      if (source !== this.#source) return;
    } catch (error) {
      if (source !== this.#source) return;
      console.error('donation-form: the form could not be loaded. If this is about CORS, add the page\'s origin to "origins" in the endpoint\'s configuration.', error);
      this.#source = undefined;
      this.phase = { name: 'unavailable' };
      this.#report('form-unavailable');
      return;
    }
    if (!unfinished) this.phase = { name: 'filling' };
    await this.updateComplete;
    if (this.phase.name === 'filling') this.#showPayment();
    this.dispatchEvent(new DonationFormLoadEvent());
    this.#callOnLoad();
    if (unfinished) this.#conclude(unfinished);
  }

  /** Calls the page's onLoad, once for each element, also where it arrives late. */
  #callOnLoad(): void {
    const { page } = this.#source!;
    if (this.#wasLoadCalled || !page.hears('onLoad')) return;
    this.#wasLoadCalled = true;
    page.call('onLoad');
  }

  /** Tells what was ignored, and shows where every setting came from where somebody wants to see it. */
  #tellSettings(): void {
    this.#sending?.tellIgnored(this, this.#source!, this.#offer!.definition);
    if (this.debug || new URLSearchParams(this.#source!.page.search).has('donation-form-debug')) this.#showDebugPanel().catch(() => undefined);
    else this.debugPanel = undefined;
  }

  async #showDebugPanel(): Promise<void> {
    const explanation = await this.explain();
    const { debugPanel, debugStyles } = await import('./sections/debug-panel.ts');
    this.debugPanel = explanation && debugPanel(explanation);
    this.#adopt(debugStyles);
  }

  async #prepareSending(): Promise<Giving | undefined> {
    const source = this.#source!, { id } = this.#offer!.definition;
    const { Giving, PaymentSlot, endingStyles } = this.#sending = await loadSending();
    this.#payment ??= new PaymentSlot(this, () => this.#form?.requestSubmit());
    this.#adopt(endingStyles);
    if (source !== this.#source) return undefined;
    const isNew = !this.#giving, giving = this.#giving ??= new Giving(source.base, id);
    if (!this.isConnected) giving.pause();
    if (isNew) this.#tellSettings();
    return giving;
  }

  #adopt({ styleSheet }: CSSResult): void {
    const { adoptedStyleSheets } = this.shadowRoot!;
    if (styleSheet && !adoptedStyleSheets.includes(styleSheet)) adoptedStyleSheets.push(styleSheet);
  }

  async #loadAgain(): Promise<void> {
    await this.#load();
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('input, #unavailable')?.focus();
  }

  #showPayment(): void {
    if (!this.isConnected) return;
    this.#prepareSending().then(async () => { if (this.isConnected) await this.#payment?.show(this.#offer!.definition.payment); }).catch(() => { this.notice = 'payment-unavailable'; });
  }

  #readControls(): void {
    const form = this.#form;
    if (!form || !this.#offer) return;
    this.edits = withEntries(this.#offer, this.edits, new FormData(form));
    const flagged = this.problems.map(({ control }) => control);
    this.problems = problemsOf(this.#state, this.#offer).filter(({ control }) => flagged.includes(control));
  }

  /**
   * Reads the settings again: they may change until submission.
   * @returns whether that changed what the donor saw; hidden values just count.
   */
  #takeLateSettings(): boolean {
    const before = this.#offer!, shown = this.#state;
    this.refresh();
    const visible = (offer: Offer, { frequency, coverCosts, projectId, donor, comment }: FormState, sums: Sums | undefined): string =>
      JSON.stringify([offer.settings.currency.code, frequency, coverCosts, projectId, sums, offer.definition.donorFields.map(({ name }) => donor[name] ?? ''), comment]);
    return visible(before, shown, sumsOf(shown, before)) !== visible(this.#offer!, this.#state, sumsOf(this.#state, this.#offer!));
  }

  /** Flags an e-mail address that cannot be one as soon as the donor leaves it. */
  #checkLeft({ target }: Event): void {
    const { name, value } = target as HTMLInputElement;
    if (name !== 'email' || value === '' || !this.#offer) return;
    this.problems = problemsOf(this.#state, this.#offer).filter(({ control }) => control === name || this.problems.some((known) => known.control === control));
  }

  /** A press on the donor's own amount chooses it and leads into its field. */
  #chooseOwnAmount(event: MouseEvent): void {
    const own = (event.target as Element).closest('.own');
    const isArrowKey = event.detail === 0;
    if (!own || isArrowKey) return;
    if ((event.target as Element).localName === 'label') event.preventDefault();
    this.edits = { ...this.edits, choice: 'custom' };
    own.querySelector<HTMLElement>('#amount-control')?.focus();
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.phase.name !== 'filling' || !this.#form || !this.#offer) return;
    this.edits = withEntries(this.#offer, this.edits, new FormData(this.#form));
    if (this.#takeLateSettings()) return this.#refuse('settings-changed');
    const offer = this.#offer, state = this.#state;
    this.problems = problemsOf(state, offer);
    this.notice = this.problems.length > 0 ? { problems: this.problems.length } : undefined;
    const sums = sumsOf(state, offer);
    if (this.problems.length > 0 || !sums) return this.#leadToFirstProblem();
    if (!this.dispatchEvent(new DonationFormSubmitEvent())) return;

    this.renderRoot.querySelector<HTMLElement>('button[type=submit]')?.focus();
    this.phase = { name: 'sending' };
    const confirmation = await this.#prepareSending().then(() => this.#payment!.confirm(offer.definition.payment), () => ({ problem: 'unavailable' as const }));
    if ('problem' in confirmation) {
      await this.#refuse(({ incomplete: 'card-incomplete', failed: 'card-failed', unavailable: 'payment-unavailable' } as const)[confirmation.problem]);
      if (confirmation.problem === 'incomplete') await this.#payment?.focus();
      return;
    }
    const request = this.#sending!.toDonationRequest(state, sums, offer, {
      hidden: this.#sending!.mergeHidden(offer.definition, this.#source!.candidates()).settings,
      definition: this.#source!.etag, page: new URL(location.href), token: confirmation.token,
    });
    const answer = await this.#giving!.send(request);
    if ('outcome' in answer) return this.#conclude(answer.outcome, answer.isEarlier);
    return answer.notice === 'definition-changed' ? this.#showNewDefinition() : this.#refuse(answer.notice, answer.code);
  }

  async #leadToFirstProblem(): Promise<void> {
    await this.updateComplete;
    const { control, code } = this.problems[0] ?? {};
    const first = control === 'amount' && code === 'missing' && this.#state.choice !== 'custom' ? '[name=amount]' : `#${control}-control`;
    this.renderRoot.querySelector<HTMLElement>(first)?.focus();
    this.#report('fields');
  }

  async #showNewDefinition(): Promise<void> {
    const { payment } = this.#offer!.definition;
    try {
      this.#offer = await this.#source!.load();
    } catch {
      return this.#refuse('no-answer');
    }
    if (JSON.stringify(this.#offer.definition.payment) !== JSON.stringify(payment)) this.#payment?.remove();
    return this.#refuse('definition-changed');
  }

  /** @param isEarlier the gift is the one that was sent before the donor changed something. */
  #conclude(outcome: Outcome, isEarlier = false): void {
    if (outcome.state === 'checking') {
      this.phase = { name: 'checking', outcome, isEarlier };
      this.#report('checking');
      this.#watch(isEarlier);
      return;
    }
    this.#giving?.end();
    if (outcome.state === 'declined') {
      void this.#refuse(outcome.reason ?? 'card-declined');
      return;
    }
    this.phase = { name: 'thanks', outcome, isEarlier };
    this.#payment?.remove();
    (this.isConnected ? this : document).dispatchEvent(new DonationFormSuccessEvent(outcome.reference, outcome.gift, outcome.response!));
    this.#source!.page.call('onSuccess', outcome.response);
  }

  #watch(isEarlier: boolean): void {
    this.#giving?.watch((outcome) => this.#conclude(outcome, isEarlier));
  }

  /** Shows the form again, with everything that was typed, and says why. */
  async #refuse(notice: Exclude<Notice, object>, code: string = notice): Promise<void> {
    await this.#prepareSending().catch(() => undefined);
    this.phase = { name: 'filling' };
    this.notice = notice;
    this.#report(code);
    await this.updateComplete;
    this.#showPayment();
    if (notice !== 'card-incomplete') this.renderRoot.querySelector<HTMLElement>('#notice')?.focus();
  }

  #report(code: string): void {
    this.dispatchEvent(new DonationFormErrorEvent(code));
  }

  #money(minor: number, currency: string): string {
    const decimals = this.#offer?.definition.currencies.find(({ code }) => code === currency)?.decimals ?? 2;
    return formatMoney(minor, currency, decimals);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'donation-form': DonationFormElement;
  }
}

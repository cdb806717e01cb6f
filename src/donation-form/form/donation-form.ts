import { html, nothing, type CSSResult, type PropertyValues, type TemplateResult } from 'lit';
import type { Outcome } from '@donation-form/core/schemas';
import { withEntries, type Edits, type Entries } from '../state/form-state.ts';
import { COMPONENT_PROPERTIES, type Explanation } from '@donation-form/core/settings';
import { DonationFormLoadEvent } from '../events/events.ts';
import { languageFor } from './language.ts';
import { LiveForm } from './form-controller.ts';
import { OfferSource } from './form-loader.ts';
import { Page } from '../page/page-context.ts';
import { donorSection } from '../sections/donor.ts';
import { finishSection, paymentSection } from '../sections/submit.ts';
import {
  amountSection,
  costsSection,
  frequencySection,
  purposeSection,
} from '../sections/amount.ts';
import { loadingScreen, unavailableScreen } from '../sections/status-screens.ts';
import type { Sender } from '../submission/submission-controller.ts';
import { hasOpenAttempt } from '../page/session-storage.ts';
import { styles } from './styles.ts';
import { DonationFormTag } from './attributes.ts';
import type { View } from './view-model.ts';

const loadSending = () => import('../submission/lazy.ts');

/**
 * A donation form.
 *
 * @slot - what stands in the element until the form is shown, and stays where it cannot be: a
 *   link to another way of giving
 * @slot payment - the payment provider's field; the element fills it itself
 * @slot thanks - the site's own words under the thank-you
 * @csspart frequency - how often
 * @csspart amount - the suggested gifts, and the donor's own amount
 * @csspart purpose - the project
 * @csspart tribute - in whose honour or memory
 * @csspart donor - who gives
 * @csspart payment - how it is paid
 * @csspart costs - the line that adds the costs
 * @csspart consents - what the donor agrees to
 * @csspart notice - what happened to the gift as a whole
 * @csspart button - the one strong button
 * @csspart checking - the screen while the charge is not known
 * @csspart action - the screen of a gift for which the donor has to do something yet
 * @csspart thanks - the thank-you, also where the money comes later
 * @csspart debug - where each setting came from
 * @cssprop --donation-accent - the one strong colour
 * @cssprop --donation-on-accent - text on it
 * @cssprop --donation-text - text
 * @cssprop --donation-muted - quiet text
 * @cssprop --donation-surface - what the form stands on
 * @cssprop --donation-field - the ground of fields
 * @cssprop --donation-line - borders
 * @cssprop --donation-danger - what is wrong
 * @cssprop --donation-success - the thank-you's tick
 * @cssprop --donation-radius - of corners
 * @cssprop --donation-gap - between sections
 * @fires {DonationFormLoadEvent} donation-form-load - the form is shown, with its settings resolved
 * @fires {DonationFormReadyEvent} donation-form-ready - a gift can be given
 * @fires {DonationFormChangeEvent} donation-form-change - the donor, or a setting, changed the gift
 * @fires {DonationFormDetailsEvent} donation-form-details - the donor has begun to enter who gives
 * @fires {DonationFormSettingIgnoredEvent} donation-form-setting-ignored - a setting does not
 *   count (cancelable: then it is not counted)
 * @fires {DonationFormSubmitEvent} donation-form-submit - the button was pressed and nothing is
 *   missing (cancelable: then nothing is sent)
 * @fires {DonationFormSuccessEvent} donation-form-success - a gift succeeded
 * @fires {DonationFormPendingEvent} donation-form-pending - a gift was accepted whose money comes
 *   later
 * @fires {DonationFormErrorEvent} donation-form-error - a gift did not go through, or is not
 *   known to have
 * @fires {DonationFormCallbackErrorEvent} donation-form-callback-error - a callback of the page
 *   failed
 */
export class DonationFormElement extends DonationFormTag {
  static override styles = styles;

  /** The release of this script. */
  static readonly version: string = '0.1.0';

  /**
   * Where forms are served when an element does not say: the script that pages embed sets it to its
   * own directory.
   */
  static defaultEndpoint: string | undefined;

  readonly #live = new LiveForm(this, (edits) =>
    this.#edit({
      ...this.#live.edits,
      ...edits,
      more: { ...this.#live.edits.more, ...edits.more },
    }),
  );
  /**
   * What is needed from the moment that the button is pressed; it comes while the form is filled
   * in.
   */
  #sender: Sender | undefined;
  #wasLoadCalled = false;

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.#live.source) return void this.#load();
    this.#sender?.enter();
    if (['loading', 'filling'].includes(this.#live.phase.name)) this.#readPage();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sender?.leave();
  }

  /** Reads the page's address anew, and its settings. */
  #readPage(): void {
    if (this.#live.source) this.#live.source.page = new Page(this);
    this.refresh();
  }

  /**
   * Reads the page's settings again, at once. They are read again when the gift is sent in any
   * case. What the donor entered stays.
   */
  refresh(): void {
    const live = this.#live;
    if (!live.offer || live.phase.name !== 'filling') return;
    this.#readControls();
    void live.show({ offer: live.source!.offer(live.offer.definition, live.edits.currency) });
    this.#callOnLoad();
    this.#sender?.tell();
  }

  /**
   * For every setting: what decided it and by which name, what it beat, and what was ignored and
   * why. `undefined` while no form is loaded.
   */
  async explain(): Promise<Explanation | undefined> {
    const { offer, source } = this.#live;
    return offer && (await import('../debug/explain-form.ts')).explainForm(source!, offer);
  }

  /**
   * Empties the form: what the donor entered is forgotten, and the next gift is another one. While
   * a gift is sent or checked, or no answer came to one, nothing happens.
   */
  reset(): void {
    const live = this.#live;
    if (
      !live.offer ||
      ['loading', 'sending', 'checking', 'action'].includes(live.phase.name) ||
      this.#sender?.isUnknown
    )
      return;
    void live.show({
      edits: {},
      flags: [],
      notice: undefined,
      phase: { name: 'filling' },
      offer: live.source!.offer(live.offer.definition),
    });
    this.#sender?.forget();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { phase, source } = this.#live;
    const has = (name: string): boolean => changed.has(name);
    const isAtRest = phase.name === 'loading' || phase.name === 'filling';
    if (
      isAtRest &&
      source &&
      (source.base !== this.#base ||
        source.formId !== this.formId ||
        source.language !== languageFor(this))
    )
      void this.#load();
    else if (has('urlParams') || has('ignoreParams')) this.#readPage();
    else if (['settings', 'settingsKey', 'debug', ...Object.keys(COMPONENT_PROPERTIES)].some(has))
      this.refresh();
  }

  protected override render(): TemplateResult {
    const { source } = this.#live;
    return html`<div class="root" lang=${source?.language ?? nothing} dir=${source?.texts.direction ?? nothing}>${this.#screen()}${this.#live.debugPanel}</div>`;
  }

  #screen(): TemplateResult {
    const live = this.#live;
    const { phase, offer, source } = live;
    if (phase.name === 'unavailable' || phase.name === 'insecure')
      return unavailableScreen(
        source!.texts,
        phase.name === 'insecure',
        () => void this.#loadAgain(),
      );
    if (!offer || phase.name === 'loading')
      return loadingScreen(source?.isSpoken ? source.texts : undefined);
    const { texts, language, more } = source!;
    const ribbon = offer.definition.isTest
      ? html`<p class="ribbon">${texts.testRibbon}</p>`
      : nothing;
    if ('outcome' in phase) return html`${ribbon}${this.#sender!.screen(phase)}`;
    const isSending = phase.name === 'sending';
    const view: View = Object.assign({}, live, {
      texts,
      language,
      offer,
      state: live.state,
      sums: live.sums,
      isSending,
      waiting: live.waiting || texts.sending,
    });
    return html`
      <form novalidate @submit=${this.#submit} @input=${this.#readControls}>
        <div class="sections" ?inert=${isSending}>
          ${ribbon}${frequencySection(view)}${amountSection(view)}${more?.nudge(view)}${more ? more.purpose(view) : purposeSection(view)}${more?.tribute(view)}
          ${donorSection(view, more)}${paymentSection(view, more, live.aside)}${costsSection(view)}${more?.consents(view)}
        </div>
        ${finishSection(view, (control) => this.#sender?.lead(control), more?.promise(view))}
      </form>`;
  }

  /**
   * The endpoint's address, ending in a slash; where it is none, what was given, from which no form
   * comes.
   */
  get #base(): string {
    let base = this.endpoint ?? DonationFormElement.defaultEndpoint ?? '/';
    try {
      base = new URL(base, document.baseURI).href;
    } catch {
      /* No form comes from what is no address, and that is said then. */
    }
    return base.replace(/\/?$/, '/');
  }

  /**
   * Fetches the form, merges the settings, and asks first about a gift whose outcome was not known
   * when the page was left.
   */
  async #load(): Promise<void> {
    const live = this.#live;
    const source = (live.source = new OfferSource(
      this.#base,
      this.formId,
      languageFor(this),
      new Page(this),
      (change) => {
        if (source !== live.source || !live.offer) return;
        this.#readControls();
        this.#edit(change(live.edits, live.state));
      },
    ));
    this.#sender?.end();
    this.#sender = undefined;
    void live.show({
      phase: { name: isSecureContext ? 'loading' : 'insecure' },
      write: undefined,
      flags: [],
      notice: undefined,
    });
    if (!isSecureContext) return;
    loadSending().catch(() => undefined);
    let unfinished: Outcome | undefined;
    try {
      const offer = await source.load(live.edits.currency);
      if (source !== live.source) return;
      live.offer = offer;
      for (const sheet of source.styles) this.#adopt(sheet);
      if (hasOpenAttempt()) unfinished = await (await this.#prepareSending())?.unfinished();
      if (source !== live.source) return;
    } catch (error) {
      if (source !== live.source) return;
      console.error(
        `donation-form: ${this.#base} gives ${location.origin} no form. Check that address, form-id, and "origins" in the endpoint's configuration.`,
        error,
      );
      void live.show({ phase: { name: 'unavailable' } });
      live.report('form-unavailable');
      return;
    }
    if (!unfinished) await live.show({ phase: { name: 'filling' } });
    this.dispatchEvent(new DonationFormLoadEvent());
    this.#callOnLoad();
    if (unfinished) this.#sender!.conclude(unfinished);
    else
      this.#prepareSending().catch(() =>
        live.show({ notice: 'payment-unavailable', noticeText: source.texts.paymentUnavailable }),
      );
  }

  /** Calls the page's onLoad, once for each element, also where it arrives late. */
  #callOnLoad(): void {
    const { page } = this.#live.source!;
    if (this.#wasLoadCalled || !page.hears('onLoad')) return;
    this.#wasLoadCalled = true;
    void page.call('onLoad');
  }

  /** The sender of the form that is shown, with its payment field. */
  async #prepareSending(): Promise<Sender | undefined> {
    const { source } = this.#live;
    const { Sender } = await loadSending();
    if (source !== this.#live.source) return undefined;
    if (!this.#sender) {
      this.#sender = new Sender(this.#live, (styles) => this.#adopt(styles));
      this.#sender.tell();
    }
    if (this.isConnected) this.#sender.enter();
    return this.#sender;
  }

  #adopt({ styleSheet }: CSSResult): void {
    const { adoptedStyleSheets } = this.shadowRoot!;
    if (styleSheet && !adoptedStyleSheets.includes(styleSheet)) adoptedStyleSheets.push(styleSheet);
  }

  async #loadAgain(): Promise<void> {
    await this.#load();
    this.renderRoot.querySelector<HTMLElement>('input, #unavailable')?.focus();
  }

  readonly #readControls = (): void => {
    const form = this.renderRoot.querySelector('form');
    const { offer, edits } = this.#live;
    if (form && offer) this.#edit(withEntries(offer, edits, entriesOf(form)));
  };

  #edit(edits: Edits): void {
    const live = this.#live;
    const { offer, source } = live;
    live.edits = edits;
    const currency = edits.currency ?? offer!.settings.currency.code;
    if (currency !== offer!.settings.currency.code)
      live.offer = source!.offer(offer!.definition, currency);
    if (live.flags.length > 0)
      this.#sender?.flag((control) => live.flags.some((flag) => flag.control === control));
    this.#sender?.tellChange();
    this.requestUpdate();
  }

  readonly #submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const live = this.#live;
    if (live.phase.name !== 'filling') return;
    this.#readControls();
    if (!this.#sender) {
      void live.show({ phase: { name: 'sending' } });
      await this.#prepareSending().catch(() => undefined);
      live.phase = { name: 'filling' };
    }
    if (this.#sender) return this.#sender.submit(() => this.refresh());
    await live.show({
      notice: 'payment-unavailable',
      noticeText: live.source!.texts.paymentUnavailable,
    });
    this.renderRoot.querySelector<HTMLElement>('#notice')?.focus();
  };
}

/** The values of a form's controls. Autofill may have filled them without an event. */
function entriesOf(form: HTMLFormElement): Entries {
  const entries: Record<string, string[]> = {};
  for (const {
    name,
    type,
    checked,
    value,
  } of form.elements as Iterable<Element> as Iterable<HTMLInputElement>) {
    if (name)
      (entries[name] ??= []).push(...(checked || !/^(radio|checkbox)$/.test(type) ? [value] : []));
  }
  return entries;
}

declare global {
  interface HTMLElementTagNameMap {
    'donation-form': DonationFormElement;
  }
}

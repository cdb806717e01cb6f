import { html, nothing, type CSSResult, type PropertyValues, type TemplateResult } from 'lit';
import type { Outcome } from '@donation-form/core/schemas';
import { withEntries, type Edits, type Entries } from '../state/form-state.ts';
import { COMPONENT_PROPERTIES, type Explanation } from '@donation-form/core/settings';
import { DonationFormLoadEvent } from '../events/events.ts';
import { languageFor } from './language.ts';
import { FormController } from './form-controller.ts';
import { FormLoader } from './form-loader.ts';
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
import type { SubmissionController } from '../submission/submission-controller.ts';
import { hasOpenAttempt } from '../page/session-storage.ts';
import { styles } from './styles.ts';
import { DonationFormBase } from './attributes.ts';
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
export class DonationFormElement extends DonationFormBase {
  static override styles = styles;

  /** The release of this script. */
  static readonly version: string = '0.1.0';

  /**
   * Where forms are served when an element does not say: the script that pages embed sets it to its
   * own directory.
   */
  static defaultEndpoint: string | undefined;

  readonly #live = new FormController(this, (edits) =>
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
  #sender: SubmissionController | undefined;
  #wasLoadCalled = false;

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.#live.loader) return void this.#load();
    this.#sender?.connect();
    if (['loading', 'filling'].includes(this.#live.phase.name)) this.#readPage();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sender?.disconnect();
  }

  /** Reads the page's address anew, and its settings. */
  #readPage(): void {
    if (this.#live.loader) this.#live.loader.page = new Page(this);
    this.refresh();
  }

  /**
   * Reads the page's settings again, at once. They are read again when the gift is sent in any
   * case. What the donor entered stays.
   */
  refresh(): void {
    const live = this.#live;
    if (!live.context || live.phase.name !== 'filling') return;
    this.#readControls();
    void live.update({
      context: live.loader!.createContext(live.context.definition, live.edits.currency),
    });
    this.#callOnLoad();
    this.#sender?.notify();
  }

  /**
   * For every setting: what decided it and by which name, what it beat, and what was ignored and
   * why. `undefined` while no form is loaded.
   */
  async explain(): Promise<Explanation | undefined> {
    const { context, loader: source } = this.#live;
    return context && (await import('../debug/explain-form.ts')).explainForm(source!, context);
  }

  /**
   * Empties the form: what the donor entered is forgotten, and the next gift is another one. While
   * a gift is sent or checked, or no answer came to one, nothing happens.
   */
  reset(): void {
    const live = this.#live;
    if (
      !live.context ||
      ['loading', 'sending', 'checking', 'action'].includes(live.phase.name) ||
      this.#sender?.isUnknown
    )
      return;
    void live.update({
      edits: {},
      fieldErrors: [],
      notice: undefined,
      phase: { name: 'filling' },
      context: live.loader!.createContext(live.context.definition),
    });
    this.#sender?.startOver();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { phase, loader: source } = this.#live;
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
    const { loader: source } = this.#live;
    return html`<div class="root" lang=${source?.language ?? nothing} dir=${source?.texts.direction ?? nothing}>${this.#screen()}${this.#live.debugPanel}</div>`;
  }

  #screen(): TemplateResult {
    const live = this.#live;
    const { phase, context, loader: source } = live;
    if (phase.name === 'unavailable' || phase.name === 'insecure')
      return unavailableScreen(
        source!.texts,
        phase.name === 'insecure',
        () => void this.#loadAgain(),
      );
    if (!context || phase.name === 'loading')
      return loadingScreen(source?.isTranslated ? source.texts : undefined);
    const { texts, language, optionalSections: more } = source!;
    const ribbon = context.definition.isTest
      ? html`<p class="ribbon">${texts.testRibbon}</p>`
      : nothing;
    if ('outcome' in phase) return html`${ribbon}${this.#sender!.renderResult(phase)}`;
    const isSending = phase.name === 'sending';
    const view: View = Object.assign({}, live, {
      texts,
      language,
      context,
      state: live.state,
      sums: live.sums,
      isSending,
      progressMessage: live.progressMessage || texts.sending,
    });
    return html`
      <form novalidate @submit=${this.#submit} @input=${this.#readControls}>
        <div class="sections" ?inert=${isSending}>
          ${ribbon}${frequencySection(view)}${amountSection(view)}${more?.nudge(view)}${more ? more.purpose(view) : purposeSection(view)}${more?.tribute(view)}
          ${donorSection(view, more)}${paymentSection(view, more, live.paymentReplacement)}${costsSection(view)}${more?.consents(view)}
        </div>
        ${finishSection(view, (control) => this.#sender?.focusControl(control), more?.promise(view))}
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
    const source = (live.loader = new FormLoader(
      this.#base,
      this.formId,
      languageFor(this),
      new Page(this),
      (change) => {
        if (source !== live.loader || !live.context) return;
        this.#readControls();
        this.#edit(change(live.edits, live.state));
      },
    ));
    this.#sender?.dispose();
    this.#sender = undefined;
    void live.update({
      phase: { name: isSecureContext ? 'loading' : 'insecure' },
      write: undefined,
      fieldErrors: [],
      notice: undefined,
    });
    if (!isSecureContext) return;
    loadSending().catch(() => undefined);
    let unfinished: Outcome | undefined;
    try {
      const context = await source.load(live.edits.currency);
      if (source !== live.loader) return;
      live.context = context;
      for (const sheet of source.styles) this.#adopt(sheet);
      if (hasOpenAttempt()) unfinished = await (await this.#prepareSending())?.findUnfinished();
      if (source !== live.loader) return;
    } catch (error) {
      if (source !== live.loader) return;
      console.error(
        `donation-form: ${this.#base} gives ${location.origin} no form. Check that address, form-id, and "origins" in the endpoint's configuration.`,
        error,
      );
      void live.update({ phase: { name: 'unavailable' } });
      live.dispatchError('form-unavailable');
      return;
    }
    if (!unfinished) await live.update({ phase: { name: 'filling' } });
    this.dispatchEvent(new DonationFormLoadEvent());
    this.#callOnLoad();
    if (unfinished) this.#sender!.handleOutcome(unfinished);
    else
      this.#prepareSending().catch(() =>
        live.update({ notice: 'payment-unavailable', noticeText: source.texts.paymentUnavailable }),
      );
  }

  /** Calls the page's onLoad, once for each element, also where it arrives late. */
  #callOnLoad(): void {
    const { page } = this.#live.loader!;
    if (this.#wasLoadCalled || !page.hears('onLoad')) return;
    this.#wasLoadCalled = true;
    void page.call('onLoad');
  }

  /** The sender of the form that is shown, with its payment field. */
  async #prepareSending(): Promise<SubmissionController | undefined> {
    const { loader: source } = this.#live;
    const { SubmissionController } = await loadSending();
    if (source !== this.#live.loader) return undefined;
    if (!this.#sender) {
      this.#sender = new SubmissionController(this.#live, (styles) => this.#adopt(styles));
      this.#sender.notify();
    }
    if (this.isConnected) this.#sender.connect();
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
    const { context, edits } = this.#live;
    if (form && context) this.#edit(withEntries(context, edits, entriesOf(form)));
  };

  #edit(edits: Edits): void {
    const live = this.#live;
    const { context, loader: source } = live;
    live.edits = edits;
    const currency = edits.currency ?? context!.settings.currency.code;
    if (currency !== context!.settings.currency.code)
      live.context = source!.createContext(context!.definition, currency);
    if (live.fieldErrors.length > 0)
      this.#sender?.flag((control) => live.fieldErrors.some((flag) => flag.control === control));
    this.#sender?.notifyChange();
    this.requestUpdate();
  }

  readonly #submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const live = this.#live;
    if (live.phase.name !== 'filling') return;
    this.#readControls();
    if (!this.#sender) {
      void live.update({ phase: { name: 'sending' } });
      await this.#prepareSending().catch(() => undefined);
      live.phase = { name: 'filling' };
    }
    if (this.#sender) return this.#sender.submit(() => this.refresh());
    await live.update({
      notice: 'payment-unavailable',
      noticeText: live.loader!.texts.paymentUnavailable,
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

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { type Edits, type FormValues, mergeFormValues } from '@donation-form/core/form-state';
import { getTextDirection } from '@donation-form/core/i18n';
import type { Explanation } from '@donation-form/core/settings';
import { DonationFormLoadEvent } from '../events/events.ts';
import { resolveLanguage } from '../page/element-language.ts';
import { resolveEndpointUrl } from '../page/endpoint-url.ts';
import { PageContext } from '../page/page-context.ts';
import { preloadFieldNearby } from '../page/preload.ts';
import { hasStoredIdempotencyKey } from '../page/session-storage.ts';
import { renderLoading, renderUnavailable } from '../sections/status-screens.ts';
import type { SubmissionController } from '../submission/submission-controller.ts';
import type { OutcomeInput } from '../submission/submission-machine.ts';
import { DonationFormBase } from './attributes.ts';
import { FormSession } from './form-session.ts';
import { FormStore } from './form-store.ts';
import { readControlValues, readFormValues } from './read-form-values.ts';
import { renderSections } from './render-sections.ts';
import { skeletonStyles } from './skeleton-styles.ts';
import { styles } from './styles.ts';
import { themeStyles } from './theme-styles.ts';

const loadSubmissionModule = () => import('../submission/lazy.ts');

/**
 * A donation form.
 *
 * @slot - fallback content, such as a link to another way to give; shown until the form appears, or
 *   if the form fails to load
 * @slot payment - the payment provider's field; filled by the element itself
 * @slot wallets - the payment provider's wallet buttons; filled by the element itself
 * @slot thank-you - additional content for the thank-you screen
 * @csspart frequency - the frequency choices
 * @csspart amount - the suggested amounts and the custom amount
 * @csspart project - the project that receives the donation
 * @csspart tribute - the tribute in honor or memory of someone
 * @csspart fee-cover - the checkbox that adds the transaction fee
 * @csspart wallets - the wallet buttons
 * @csspart donor - the donor's details
 * @csspart payment - the payment methods and the payment field
 * @csspart consents - the consent checkboxes
 * @csspart notice - the message above the button
 * @csspart button - the primary button
 * @csspart unconfirmed - the screen shown while the charge's outcome is unknown
 * @csspart requires-action - the screen shown if the donor must complete the payment
 * @csspart thank-you - the thank-you screen, also for payments that are still processing
 * @csspart debug - the panel that shows the source of each setting, or the reason why the form did
 *   not load
 * @cssprop --donation-accent - accent color
 * @cssprop --donation-on-accent - text on the accent color
 * @cssprop --donation-text - text
 * @cssprop --donation-muted - secondary text
 * @cssprop --donation-surface - background of the form
 * @cssprop --donation-field-background - background of fields and secondary buttons
 * @cssprop --donation-field-border-width - border width of fields
 * @cssprop --donation-choice-background - background of frequencies, amounts, and other choices
 * @cssprop --donation-choice-border-width - border width of frequencies and amounts
 * @cssprop --donation-border - border color of fields and choices
 * @cssprop --donation-danger - errors
 * @cssprop --donation-success - check mark on the thank-you screen
 * @cssprop --donation-heading-font - font family of headings
 * @cssprop --donation-radius - corner radius
 * @cssprop --donation-gap - space between sections
 * @fires {DonationFormLoadEvent} donation-form-load - the form is shown and its settings are
 *   resolved
 * @fires {DonationFormReadyEvent} donation-form-ready - the form is ready to accept a donation
 * @fires {DonationFormChangeEvent} donation-form-change - the donor or a setting changed the
 *   donation
 * @fires {DonationFormDonorStartEvent} donation-form-donor-start - the donor started entering their
 *   details
 * @fires {DonationFormSettingIgnoredEvent} donation-form-setting-ignored - a setting was ignored;
 *   cancel the event to omit the setting from the settings report
 * @fires {DonationFormSubmitEvent} donation-form-submit - the donor submitted a valid form; cancel
 *   the event to send nothing
 * @fires {DonationFormSuccessEvent} donation-form-success - a donation succeeded
 * @fires {DonationFormProcessingEvent} donation-form-processing - a donation was accepted and its
 *   payment is still processing
 * @fires {DonationFormErrorEvent} donation-form-error - a donation failed, or its outcome is
 *   unknown
 * @fires {DonationFormCallbackErrorEvent} donation-form-callback-error - one of the page's
 *   callbacks threw an error
 */
export class DonationFormElement extends DonationFormBase {
  static override styles = [themeStyles, styles, skeletonStyles];

  /** Version of this release. */
  static readonly version: string = '0.1.0';

  /** Endpoint for elements without an `endpoint` attribute. Set by the embed script. */
  static defaultEndpoint: string | undefined;

  /** Starts to load the submission module. The embed script replaces this function. */
  static preloadSubmission = (): void => {
    loadSubmissionModule().catch(() => undefined);
  };

  readonly #form = new FormStore(
    this,
    (edits) =>
      this.#applyEdits({
        ...this.#form.edits,
        ...edits,
        optionalFields: { ...this.#form.edits.optionalFields, ...edits.optionalFields },
      }),
    () => this.#applyFormValues(),
  );
  #submission: SubmissionController | undefined;
  #hasCalledOnLoad = false;
  #changedProperties = new Set<PropertyKey>();

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.#form.session) return void this.#loadForm();
    if (['loading', 'filling'].includes(this.#form.phase.name)) this.#reloadPageContext();
  }

  #reloadPageContext(): void {
    if (this.#form.session) this.#form.session.pageContext = new PageContext(this);
    this.refresh();
  }

  /**
   * Reads the page's settings again. Preserves the donor's input. The form also calls this method
   * before it submits a donation.
   */
  refresh(): void {
    const form = this.#form;
    if (!form.context || form.phase.name !== 'filling') return;
    this.#applyFormValues();
    void form.update({
      context: form.session!.createFormContext(form.context.definition, form.edits.currency),
    });
    this.#callOnLoad();
    this.#submission?.reportSettings();
  }

  /**
   * Explains each setting: its value, its source, overridden values, and ignored values with the
   * reasons for ignoring them. Returns `undefined` until the form has loaded.
   */
  async explain(): Promise<Explanation | undefined> {
    const { context, session } = this.#form;
    return context && (await import('../debug/explain-form.ts')).explainForm(session!, context);
  }

  /**
   * Clears the donor's input and starts a new donation. Does nothing while the form is submitting a
   * donation or the donation's outcome is unknown.
   */
  reset(): void {
    const form = this.#form;
    if (
      !form.context ||
      ['loading', 'sending', 'unconfirmed', 'requires_action'].includes(form.phase.name) ||
      this.#submission?.isOutcomeUnknown
    )
      return;
    void form.update({
      edits: {},
      fieldErrors: [],
      notice: undefined,
      phase: { name: 'filling' },
      context: form.session!.createFormContext(form.context.definition),
    });
    // Empties the controls before anything can read them.
    this.performUpdate();
    this.#submission?.startNewDonation();
  }

  protected override willUpdate(changed: PropertyValues): void {
    for (const name of changed.keys()) this.#changedProperties.add(name);
    const { phase, session } = this.#form;
    const names = this.#changedProperties;
    if (names.size === 0 || !['loading', 'filling'].includes(phase.name)) return;
    this.#changedProperties = new Set();
    if (
      session &&
      (session.endpointUrl !== this.#endpointUrl ||
        session.formId !== this.formId ||
        session.language !== resolveLanguage(this, this.language))
    )
      void this.#loadForm();
    else if (names.has('urlParams') || names.has('ignoreParams')) this.#reloadPageContext();
    else this.refresh();
  }

  protected override render(): TemplateResult {
    const { session } = this.#form;
    return html`<div
      class="root"
      lang=${session?.language ?? nothing}
      dir=${session ? getTextDirection(session.language) : nothing}
    >${this.#renderScreen()}${this.#form.debugPanel}</div>`;
  }

  #renderScreen(): TemplateResult {
    const form = this.#form;
    const { phase, context, session } = form;
    if (phase.name === 'unavailable' || phase.name === 'insecure')
      return renderUnavailable(
        session!.texts,
        phase.name === 'insecure',
        () => void this.#retryLoad(),
      );
    if (!context || phase.name === 'loading')
      return renderLoading(session?.isTranslated ? session.texts : undefined);
    // The badge is absolutely positioned, so its late-loading styles do not move the form.
    const testBadge =
      context.definition.isTest && this.#submission
        ? html`<p class="test-badge">${session!.texts.testMode}</p>`
        : nothing;
    if ('outcome' in phase) return html`${testBadge}${this.#submission!.renderResult(phase)}`;
    return html`
      <form novalidate @submit=${this.#handleSubmit} @input=${this.#applyInput}>
        ${renderSections(form, context, testBadge)}
      </form>`;
  }

  get #endpointUrl(): string {
    return resolveEndpointUrl(this.endpoint ?? DonationFormElement.defaultEndpoint);
  }

  /** Loads the form, or shows the outcome of a donation that the donor left unfinished. */
  async #loadForm(): Promise<void> {
    const form = this.#form;
    this.#applyFormValues();
    form.session?.end();
    this.#submission = undefined;
    const session = (form.session = new FormSession({
      endpointUrl: this.#endpointUrl,
      formId: this.formId,
      language: resolveLanguage(this, this.language),
      pageContext: new PageContext(this),
      updateEdits: (update) => {
        if (session.signal.aborted || !form.context) return;
        this.#applyFormValues();
        this.#applyEdits(update(form.edits, form.state));
      },
    }));
    // `window.`, because jsdom, in which websites run their tests, does not have this property.
    void form.update({
      phase: { name: window.isSecureContext ? 'loading' : 'insecure' },
      writeMoney: undefined,
      fieldErrors: [],
      notice: undefined,
      debugPanel: undefined,
    });
    if (!window.isSecureContext) {
      this.#reportLoadFailure(new Error('The page is not secure.'));
      return;
    }
    const loading = session.loadForm(form.edits.currency);
    DonationFormElement.preloadSubmission();
    // On a slow phone, the first access to the storage takes 40 ms, so it happens during the request.
    const mayBeUnfinished = hasStoredIdempotencyKey();
    let unfinished: OutcomeInput | undefined;
    try {
      const context = await loading;
      if (session.signal.aborted) return;
      form.context = context;
      for (const sheet of session.styleSheets) form.adoptStyles(sheet);
      if (session.fieldFiles && !mayBeUnfinished && this.getRootNode() === document)
        preloadFieldNearby(this, session.fieldFiles);
      if (mayBeUnfinished)
        unfinished = await (await this.#loadSubmission())?.fetchUnfinishedOutcome();
      if (session !== form.session) return;
    } catch (error) {
      if (session.signal.aborted) return;
      void form.update({ phase: { name: 'unavailable' } });
      this.#reportLoadFailure(error);
      form.dispatchError('form-unavailable');
      return;
    }
    if (!unfinished) await form.update({ phase: { name: 'filling' } });
    this.dispatchEvent(new DonationFormLoadEvent());
    this.#callOnLoad();
    // Not awaited, so that a notice gets the focus after the form's first field.
    if (unfinished) return void this.#submission!.dispatch(unfinished);
    await waitForPaint();
    if (session === form.session)
      this.#loadSubmission().catch(() => this.#showPaymentUnavailable());
  }

  #showPaymentUnavailable(): Promise<unknown> {
    return this.#form.update({
      notice: 'payment-unavailable',
      noticeText: this.#form.texts.paymentUnavailable,
      isPaymentLoading: false,
    });
  }

  #reportLoadFailure(error: unknown): void {
    import('../debug/load-failure.ts')
      .then(({ reportLoadFailure }) => reportLoadFailure(this.#form, error))
      .catch(() =>
        console.error(`donation-form: Cannot load the form from ${this.#endpointUrl}.`, error),
      );
  }

  /** Calls the page's `onLoad` once per element, even if the page adds it later. */
  #callOnLoad(): void {
    const { pageContext } = this.#form.session!;
    if (this.#hasCalledOnLoad || !pageContext.hasCallback('onLoad')) return;
    this.#hasCalledOnLoad = true;
    void pageContext.invokeCallback('onLoad');
  }

  async #loadSubmission(): Promise<SubmissionController | undefined> {
    const { signal } = this.#form.session!;
    const { SubmissionController } = await loadSubmissionModule();
    if (signal.aborted) return undefined;
    if (this.#submission) {
      this.#submission.resume();
      return this.#submission;
    }
    this.#submission = new SubmissionController(this.#form);
    this.#submission.reportSettings();
    this.addController(this.#submission);
    return this.#submission;
  }

  async #retryLoad(): Promise<void> {
    await this.#loadForm();
    this.renderRoot.querySelector<HTMLElement>('input, #unavailable')?.focus();
  }

  readonly #applyFormValues = (): void => {
    const formElement = this.renderRoot.querySelector('form');
    if (formElement) this.#applyValues(readFormValues(formElement));
  };

  /** Reads only the control that changed. Other values are read when the form is submitted. */
  readonly #applyInput = ({ target, currentTarget }: Event): void => {
    const control = target as HTMLInputElement;
    // A payment provider's field in the page can have controls of its own.
    if (control.form === currentTarget) this.#applyValues(readControlValues(control));
  };

  #applyValues(values: FormValues): void {
    const { context, edits, state } = this.#form;
    this.#applyEdits(mergeFormValues(context!, edits, values, state));
  }

  #applyEdits(edits: Edits): void {
    const form = this.#form;
    const { context, session } = form;
    form.edits = edits;
    const currency = edits.currency ?? context!.settings.currency.code;
    if (currency !== context!.settings.currency.code)
      form.context = session!.createFormContext(context!.definition, currency);
    if (form.fieldErrors.length > 0) this.#submission?.updateFieldErrors();
    this.#submission?.applyGiftChanges();
    this.requestUpdate();
  }

  readonly #handleSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const form = this.#form;
    if (form.phase.name !== 'filling') return;
    if (!this.#submission) {
      this.#applyFormValues();
      void form.update({ phase: { name: 'sending' } });
      await this.#loadSubmission().catch(() => undefined);
      form.phase = { name: 'filling' };
    }
    if (this.#submission) return this.#submission.submit();
    await this.#showPaymentUnavailable();
    this.renderRoot.querySelector<HTMLElement>('#notice')?.focus();
  };
}

/** Waits for a paint, or half a second, because a hidden page paints nothing. */
function waitForPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 50));
    setTimeout(resolve, 500);
  });
}

declare global {
  interface HTMLElementTagNameMap {
    'donation-form': DonationFormElement;
  }
}

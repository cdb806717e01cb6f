import { html, type TemplateResult } from 'lit';
import type { PaymentMethodType } from '@donation-form/core/donation';
import { cleanEmail, isEmail } from '@donation-form/core/donor';
import { getSelectedMethod, getSelectedOffer, parseRowId } from '@donation-form/core/form-state';
import { type EntryTexts, fillPlaceholders } from '@donation-form/core/i18n';
import type { DonationOutcome, DonationRequest } from '@donation-form/core/schemas';
import { buildReturnUrl } from '@donation-form/core/url';
import type { FormStore } from '../form/form-store.ts';
import type { Notice } from '../form/view-model.ts';
import { wait } from '../page/wait.ts';
import type { Confirmation, Payer, PaymentField } from '../payment-fields/payment-field.ts';
import {
  type PaymentFieldContext,
  type PaymentRow,
  PaymentSlot,
} from '../payment-fields/payment-slot.ts';
import { RESPONSE_TIME, withTimeLimit } from '../payment-fields/time-limit.ts';
import { VisitDetector } from '../payment-fields/visit-detector.ts';
import { getRequiredPayerFields, toPayer } from '../state/payer.ts';
import { getEntryTexts, hideNotices, type SubmissionContext } from './submission-context.ts';
import type { Alternative, PaymentProblem } from './submission-machine.ts';

/** `slow`: still loading after {@link RESPONSE_TIME}. `replaced`: by the provider's hosted page. */
type FieldStatus = 'loaded' | 'slow' | 'replaced';

/** Notices that no longer apply after the donor chooses another provider. */
const PROVIDER_NOTICES: readonly Notice[] = [
  'card-declined',
  'not-confirmed',
  'payment-details-incomplete',
  'processor-unavailable',
];

/** Shows the selected method's payment field, or a hint about the provider's hosted page. */
export class SelectedPayment {
  readonly #form: FormStore;
  readonly #context: SubmissionContext;
  readonly #slot: PaymentSlot;
  readonly #visitDetector: VisitDetector;
  readonly #signal: AbortSignal;
  #shownRow = '';
  readonly #fields = new Map<string, Promise<PaymentField>>();
  /** Absent while a field starts to load. */
  readonly #statuses = new Map<string, FieldStatus>();
  /** Ends the wait for a field that does not respond. */
  chooseAlternative: (alternative: Alternative) => void = () => undefined;

  constructor(context: SubmissionContext) {
    const { form } = context;
    const { element } = form;
    this.#context = context;
    this.#form = form;
    this.#signal = form.session!.signal;
    this.#visitDetector = new VisitDetector(element);
    this.#slot = new PaymentSlot({
      form: element,
      visited: this.#visitDetector.visited,
      requestSubmit: () => element.shadowRoot!.querySelector('form')?.requestSubmit(),
      selectMethod: (rowId, method) => {
        const row = this.#selectedRow;
        if (row.id === rowId) this.#selectMethod(row.provider, method);
      },
    });
  }

  get #rows(): readonly PaymentRow[] {
    const { session, context } = this.#form;
    const [payment] = context!.definition.payments;
    return (
      session!.optionalSections?.getPaymentRows(this.#form) ?? [
        { ...payment, id: payment.provider },
      ]
    );
  }

  get #selectedRow(): PaymentRow {
    return this.#form.session!.optionalSections?.getSelectedRow(this.#form) ?? this.#rows[0]!;
  }

  get #fieldContext(): PaymentFieldContext {
    const { context, session, state, totals } = this.#form;
    const { definition, settings } = context!;
    const { code, decimals, minimum } = settings.currency;
    const { texts, language } = session!;
    const { country } = state.donor;
    const email = cleanEmail(state.donor.email ?? '');
    return {
      ...(isEmail(email) && { email }),
      label: texts.payment,
      language,
      organization: definition.organization.name,
      collectedByForm: getRequiredPayerFields(definition),
      charge: {
        total: totals?.total ?? minimum,
        currency: code,
        decimals,
        frequency: state.frequency,
        ...(country && { country }),
      },
    };
  }

  /** Payment fields must be in the page's light DOM. */
  get #isInShadow(): boolean {
    return this.#form.element.getRootNode() instanceof ShadowRoot;
  }

  get isHosted(): boolean {
    const { id, hasField, hasHostedCheckout } = this.#selectedRow;
    return (
      hasHostedCheckout &&
      (!hasField || this.#isInShadow || ['slow', 'replaced'].includes(this.#statuses.get(id)!))
    );
  }

  showPayment(): void {
    const payment = this.#selectedRow;
    const { isHosted } = this;
    const status = this.#statuses.get(payment.id);
    this.#selectMethodOfRow(payment);
    this.#updatePaymentReplacement(isHosted);
    const canShowField = payment.hasField && !this.#isInShadow && status !== 'replaced';
    if (canShowField) void this.#showField(payment).catch(() => undefined);
    if (!canShowField || isHosted) this.#slot.hideFields();
    void this.#form.update({ isPaymentLoading: canShowField && !isHosted && !status });
    if (isHosted || !payment.hasField || !this.#isInShadow) return;
    console.error(
      `donation-form: Cannot show the payment field for "${payment.provider}" in a shadow root. ` +
        'Move <donation-form> into the page or a slot of the component, or use a payment provider ' +
        'with a hosted page.',
    );
    this.#showUnavailable('payment-unavailable');
  }

  /** If the field loads slowly, offers the hosted page until the field has loaded. */
  #showField(payment: PaymentRow): Promise<PaymentField> {
    const { id } = payment;
    const field = this.#slot.showField(payment, this.#fieldContext);
    if (this.#fields.get(id) === field) return field;
    this.#fields.set(id, field);
    const isMounted = (): boolean => this.#fields.get(id) === field;
    let isLoaded = false;
    void this.#visitDetector.visited
      .then(() => withTimeLimit(field, RESPONSE_TIME, ''))
      .catch(async () => {
        const isOffline = isMounted() && (await this.#context.client.isOffline());
        if (isMounted() && !isLoaded) this.#handleSlowField(payment, isOffline);
      });
    field.then(
      () => {
        isLoaded = true;
        if (isMounted()) this.#handleLoadedField(payment);
      },
      () => (isMounted() ? this.#handleFailedField(payment) : undefined),
    );
    return field;
  }

  /** Waits while a field loads, for {@link RESPONSE_TIME} at most. Far from the form, none does. */
  waitForField(): Promise<unknown> {
    return Promise.race([
      this.#fields.get(this.#selectedRow.id)?.catch(() => undefined),
      this.#visitDetector.far,
      wait(RESPONSE_TIME),
    ]);
  }

  updateCharge(): void {
    this.#slot.updateFields(this.#fieldContext);
  }

  showSelectedProvider(): void {
    if (this.#shownRow === this.#selectedRow.id) return;
    hideNotices(this.#form, ...PROVIDER_NOTICES);
    this.showPayment();
  }

  #updatePaymentReplacement(isHosted: boolean): void {
    if (isHosted || this.#form.paymentReplacement !== undefined)
      void this.#form.update({
        paymentReplacement: isHosted
          ? renderHostedPaymentHint(this.hostedMethodName, getEntryTexts(this.#form))
          : undefined,
      });
  }

  #isPaymentShown({ id }: PaymentRow): boolean {
    return (
      !this.#signal.aborted && this.#form.phase.name === 'filling' && id === this.#selectedRow.id
    );
  }

  #handleSlowField(payment: PaymentRow, isOffline: boolean): void {
    if (isOffline) return this.#showFieldWhenOnline(payment);
    this.#statuses.set(payment.id, 'slow');
    if (this.#isPaymentShown(payment)) void this.#form.update({ isPaymentLoading: false });
    this.#offerHostedPage(payment);
  }

  async #handleFailedField(payment: PaymentRow): Promise<void> {
    this.#fields.delete(payment.id);
    this.#statuses.delete(payment.id);
    if (this.#isPaymentShown(payment)) void this.#form.update({ isPaymentLoading: false });
    const isOffline = await this.#context.client.isOffline();
    const isMountedAgain = this.#fields.has(payment.id);
    if (isMountedAgain) return;
    if (isOffline) return this.#showFieldWhenOnline(payment);
    if (payment.hasHostedCheckout) this.#statuses.set(payment.id, 'replaced');
    this.#offerHostedPage(payment);
  }

  #showFieldWhenOnline(payment: PaymentRow): void {
    if (this.#isPaymentShown(payment)) this.#showUnavailable('offline');
    addEventListener('online', this.#showFieldAgain, { once: true, signal: this.#signal });
  }

  readonly #showFieldAgain = (): void => {
    if (!this.#form.element.isConnected || this.#form.phase.name !== 'filling') return;
    this.#hideUnavailable();
    this.showPayment();
  };

  #showUnavailable(notice: 'payment-unavailable' | 'offline'): void {
    this.#context.dispatch({ kind: 'show-notice', notice, isAfterSubmission: false });
  }

  #hideUnavailable(): void {
    hideNotices(this.#form, 'payment-unavailable', 'offline');
  }

  #offerHostedPage(payment: PaymentRow): void {
    if (!this.#isPaymentShown(payment)) return;
    if (!payment.hasHostedCheckout) return this.#showUnavailable('payment-unavailable');
    this.#slot.hideFields();
    this.#updatePaymentReplacement(true);
  }

  #handleLoadedField(payment: PaymentRow): void {
    const wasSlow = this.#statuses.get(payment.id) === 'slow';
    this.#statuses.set(payment.id, 'loaded');
    if (!this.#isPaymentShown(payment)) return;
    void this.#form.update({ isPaymentLoading: false });
    this.#hideUnavailable();
    if (wasSlow) this.showPayment();
  }

  /** The fee depends on the method. Stripe reports it only after the donor uses its field. */
  #selectMethodOfRow({ id, provider, methods }: PaymentRow): void {
    const { edits, state, context } = this.#form;
    const { definition } = context!;
    const selected = getSelectedMethod(state.optionalFields, definition, edits.paymentMethods)!;
    const isCurrent = this.#shownRow === id ? methods.includes(selected) : methods[0] === selected;
    this.#shownRow = id;
    if (id !== provider && !isCurrent) this.#selectMethod(provider, methods[0]!);
  }

  #selectMethod(provider: string, method: PaymentMethodType): void {
    const { edits, applyEdits, phase } = this.#form;
    if (edits.paymentMethods?.[provider] === method || phase.name === 'loading') return;
    applyEdits({ paymentMethods: { ...edits.paymentMethods, [provider]: method } });
  }

  /** Returns the request's `payment`, with a token if the donor pays in a field. */
  async confirmPayment(
    donor: DonationRequest['donor'],
  ): Promise<DonationRequest['payment'] | { readonly problem: PaymentProblem }> {
    const payment = this.#selectedRow;
    const { provider } = payment;
    const { edits, state, context } = this.#form;
    const { definition } = context!;
    const method = getSelectedMethod(state.optionalFields, definition, edits.paymentMethods);
    const [defaultMethod] = getSelectedOffer(state, definition).methods;
    const returnUrl = buildReturnUrl(new URL(location.href));
    const returnOptions = returnUrl === undefined ? {} : { returnUrl };
    // The displayed total contains the fee of the selected method.
    const hostedPayment = {
      provider,
      ...(method !== defaultMethod && { method: method! }),
      ...returnOptions,
    };
    if (this.isHosted) return hostedPayment;
    if (!payment.hasField) return { provider };
    if (this.#isInShadow) return { problem: 'unavailable' };
    this.#visitDetector.markVisited();
    const confirmation = await this.#confirmField(payment, {
      ...toPayer(donor),
      ...returnOptions,
    });
    if (confirmation === 'hosted-page') return hostedPayment;
    if ('problem' in confirmation) return confirmation;
    this.#selectMethod(provider, confirmation.method);
    return { provider, ...confirmation, ...returnOptions };
  }

  /** Offers an alternative if the field does not respond within {@link RESPONSE_TIME}. */
  async #confirmField(
    payment: PaymentRow,
    payer: Payer,
  ): Promise<Confirmation | { readonly problem: 'canceled' } | 'hosted-page'> {
    const { id, provider, hasHostedCheckout } = payment;
    const field = await withTimeLimit(this.#showField(payment), RESPONSE_TIME, '').catch(
      () => undefined,
    );
    if (!field) {
      const isOffline = await this.#context.client.isOffline();
      if (!isOffline && this.#fields.has(id)) this.#statuses.set(id, 'slow');
      return { problem: 'unavailable' };
    }
    let isWaiting = true;
    const chosenAlternative = new Promise<Alternative>((resolve) => {
      this.chooseAlternative = resolve;
    });
    const timer = setTimeout(() => {
      void this.#context.client.isOffline().then((isOffline) => {
        if (isWaiting) this.#offerAlternative(payment, isOffline);
      });
    }, RESPONSE_TIME);
    try {
      const result = await Promise.race([field.confirm(payer), chosenAlternative]);
      return result === 'other-provider' || result === 'try-again'
        ? { problem: 'canceled' }
        : result;
    } catch (error) {
      console.error(`donation-form: The payment field for "${provider}" failed.`, error);
      if (!hasHostedCheckout || (await this.#context.client.isOffline()))
        return { problem: 'failed' };
      this.#statuses.set(id, 'replaced');
      return { problem: 'unavailable' };
    } finally {
      clearTimeout(timer);
      isWaiting = false;
    }
  }

  get hasOtherMethod(): boolean {
    return this.#rows.length > 1;
  }

  get mustSwitchProvider(): boolean {
    const { provider } = this.#selectedRow;
    return !this.isHosted && this.#rows.some((row) => row.provider !== provider);
  }

  #offerAlternative({ hasHostedCheckout }: PaymentRow, isOffline: boolean): void {
    let alternative: Alternative = 'try-again';
    if (!isOffline && hasHostedCheckout) alternative = 'hosted-page';
    else if (!isOffline && this.mustSwitchProvider) alternative = 'other-provider';
    this.#context.dispatch({ kind: 'offer-alternative', alternative, isOffline });
  }

  /** A reloaded form might have selected another provider. */
  async mountFieldForOutcome({
    provider,
    gift: { total, currency, frequency },
  }: DonationOutcome): Promise<PaymentField | undefined> {
    const payment = [this.#selectedRow, ...this.#rows].find((row) => row.provider === provider);
    const decimals = this.#form.getDecimals(currency);
    this.#visitDetector.markVisited();
    return (
      payment &&
      this.#slot.showField(payment, {
        ...this.#fieldContext,
        charge: { total, currency, decimals, frequency },
      })
    );
  }

  get hasField(): boolean {
    return !this.isHosted && !this.#isInShadow && this.#selectedRow.hasField;
  }

  /** Name of a method that is available only on the provider's page, such as PayPal. */
  get hostedMethodName(): string | undefined {
    const { hasField, label } = this.#selectedRow;
    return hasField ? undefined : label;
  }

  /** Call after a declined payment. The next field is empty, with its first method selected. */
  discardField(provider: string): void {
    const { edits } = this.#form;
    const paymentMethods = Object.fromEntries(
      Object.entries(edits.paymentMethods ?? {}).filter(([name]) => name !== provider),
    );
    this.#form.edits = { ...edits, paymentMethods };
    for (const id of this.#fields.keys()) {
      if (parseRowId(id) !== provider) continue;
      this.#fields.delete(id);
      if (this.#statuses.get(id) === 'loaded') this.#statuses.delete(id);
      this.#slot.removeField(id);
    }
  }

  focusField(): Promise<void> {
    return this.#slot.focusField();
  }

  removeFields(): void {
    this.#fields.clear();
    for (const [id, status] of this.#statuses) if (status !== 'replaced') this.#statuses.delete(id);
    this.#slot.removeFields();
  }
}

function renderHostedPaymentHint(
  method: string | undefined,
  { hostedPayment, hostedPaymentAt }: EntryTexts,
): TemplateResult {
  const hint = method === undefined ? hostedPayment : fillPlaceholders(hostedPaymentAt, { method });
  return html`<p class="hosted"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5"/></svg><span .textContent=${hint}></span></p>`;
}

import type { DonationRequest, PaymentOffer, DonationOutcome } from '@donation-form/core/schemas';
import { getRequiredPayerFields, toPayerNameAndEmail } from '../state/payer.ts';
import { getSelectedOffer } from '@donation-form/core/form-state';
import type { PaymentMethodType } from '@donation-form/core/donation';
import { cleanEmail, isEmail } from '@donation-form/core/donor';
import { buildReturnUrl } from '@donation-form/core/url';
import type { Confirmation, Payer, PaymentField } from '../payment-fields/payment-field.ts';
import { PaymentSlot, type PaymentFieldContext } from '../payment-fields/payment-slot.ts';
import { RESPONSE_TIME, withTimeLimit } from '../payment-fields/time-limit.ts';
import { VisitDetector } from '../payment-fields/visit-detector.ts';
import type { SubmissionTexts } from '@donation-form/core/i18n';
import type { FormStore } from '../form/form-store.ts';
import { getManageUrl } from './manage-url.ts';
import { getHostedMethodName, renderHostedPaymentHint } from '../sections/hosted-payment.ts';
import type { Notice } from '../form/view-model.ts';

/** Problem with a payment field, or `canceled` if the donor chose not to wait for the field. */
export type PaymentProblem = Extract<Confirmation, { problem: unknown }>['problem'] | 'canceled';

/** Ways for the donor to continue if the payment field does not respond. */
export type Alternative = 'hosted-page' | 'other-provider' | 'try-again';

/** Notices that no longer apply after the donor chooses another provider. */
const PROVIDER_NOTICES: readonly (Notice | undefined)[] = [
  'card-declined',
  'not-confirmed',
  'payment-details-incomplete',
  'processor-unavailable',
];

interface SelectedPaymentOptions {
  readonly form: FormStore;
  readonly texts: SubmissionTexts;
  /** Aborted when another controller replaces this one. */
  readonly signal: AbortSignal;
  readonly isOffline: () => Promise<boolean>;
  /** Called if the form cannot use the selected provider. */
  readonly onUnavailable: (notice: 'payment-unavailable' | 'offline') => void;
  /** Called if the selected provider's field loads, or might load after an earlier failure. */
  readonly onAvailable: () => void;
  /**
   * Called if the field does not respond to a submission. The submission continues unless the donor
   * chooses the alternative, because the field might be waiting for the donor, for example in a
   * wallet.
   */
  readonly onStalled: (alternative: Alternative, choose: () => void, isOffline: boolean) => void;
}

/** Shows the selected provider's payment field, or a hint about the provider's hosted page. */
export class SelectedPayment {
  readonly #form: FormStore;
  readonly #texts: SubmissionTexts;
  readonly #slot: PaymentSlot;
  readonly #visitDetector: VisitDetector;
  readonly #signal: AbortSignal;
  readonly #callbacks: Omit<SelectedPaymentOptions, 'form' | 'texts' | 'signal'>;
  #shownProvider = '';
  /** Providers that have a hosted page, but a payment field that failed to load or work. */
  readonly #providersWithoutField = new Set<string>();
  /** Providers with a payment field that is still loading after {@link RESPONSE_TIME}. */
  readonly #slowProviders = new Set<string>();
  readonly #loadedProviders = new Set<string>();
  /** Mounted fields, keyed by provider. */
  readonly #fields = new Map<string, Promise<PaymentField>>();

  constructor({ form, texts, signal, ...callbacks }: SelectedPaymentOptions) {
    const { element } = form;
    this.#form = form;
    this.#texts = texts;
    this.#signal = signal;
    this.#callbacks = callbacks;
    this.#visitDetector = new VisitDetector(element);
    this.#slot = new PaymentSlot(
      element,
      () => element.shadowRoot!.querySelector('form')?.requestSubmit(),
      this.#visitDetector.visited,
      (provider, method) => this.#selectMethod(provider, method),
    );
  }

  get #selectedOffer(): PaymentOffer {
    return getSelectedOffer(this.#form.state, this.#form.context!.definition);
  }

  get #fieldContext(): PaymentFieldContext {
    const { context, session, state, totals } = this.#form;
    const { provider, hasCustomerPortal } = this.#selectedOffer;
    const {
      definition,
      settings: {
        currency: { code, decimals, minimum },
      },
    } = context!;
    const { texts, language } = session!;
    const { country } = state.donor;
    const email = cleanEmail(state.donor.email ?? '');
    return {
      ...(isEmail(email) && { email }),
      ...(hasCustomerPortal && { manageUrl: getManageUrl(this.#form, provider) }),
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

  /**
   * True if the form is inside a shadow root. Such a form has no payment fields, because payment
   * fields must be in the page's light DOM.
   */
  get #isInShadow(): boolean {
    return this.#form.element.getRootNode() instanceof ShadowRoot;
  }

  /** True if the donor pays on the provider's hosted page. */
  get isHosted(): boolean {
    const { provider, hasField, hasHostedCheckout } = this.#selectedOffer;
    return (
      hasHostedCheckout &&
      (!hasField ||
        this.#isInShadow ||
        this.#providersWithoutField.has(provider) ||
        this.#slowProviders.has(provider))
    );
  }

  /** Shows the payment field, or a hint about the hosted page in its place. */
  showPayment(): void {
    const payment = this.#selectedOffer;
    const { isHosted } = this;
    this.#shownProvider = payment.provider;
    this.#updatePaymentReplacement(isHosted);
    const canShowField =
      payment.hasField && !this.#isInShadow && !this.#providersWithoutField.has(payment.provider);
    if (canShowField) void this.#showField(payment).catch(() => undefined);
    if (!canShowField || isHosted) this.#slot.hideFields();
    void this.#form.update({
      isPaymentLoading:
        canShowField &&
        !isHosted &&
        !this.#loadedProviders.has(payment.provider) &&
        !this.#slowProviders.has(payment.provider),
    });
    if (isHosted || !payment.hasField || !this.#isInShadow) return;
    console.error(
      `donation-form: Cannot show the payment field for "${payment.provider}" in a shadow root. ` +
        'Move <donation-form> into the page or a slot of the component, or use a payment provider ' +
        'with a hosted page.',
    );
    this.#callbacks.onUnavailable('payment-unavailable');
  }

  /**
   * Shows a provider's field. If the field loads slowly, offers the hosted page until the field has
   * loaded.
   */
  #showField(payment: PaymentOffer): Promise<PaymentField> {
    const { provider } = payment;
    const field = this.#slot.showField(payment, this.#fieldContext);
    if (this.#fields.get(provider) === field) return field;
    this.#fields.set(provider, field);
    const isMounted = (): boolean => this.#fields.get(provider) === field;
    let isLoaded = false;
    void this.#visitDetector.visited
      .then(() => withTimeLimit(field, RESPONSE_TIME, ''))
      .catch(async () => {
        const isOffline = isMounted() && (await this.#callbacks.isOffline());
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

  /** Updates the charge and the donor's email in the payment field. */
  updateCharge(): void {
    this.#slot.updateFields(this.#fieldContext);
  }

  /** Shows the selected provider's payment. Call after the donor changes the provider. */
  showSelectedProvider(): void {
    if (this.#shownProvider === this.#selectedOffer.provider) return;
    if (PROVIDER_NOTICES.includes(this.#form.notice)) void this.#form.update({ notice: undefined });
    this.showPayment();
  }

  #updatePaymentReplacement(isHosted: boolean): void {
    if (isHosted || this.#form.paymentReplacement !== undefined)
      void this.#form.update({
        paymentReplacement: isHosted
          ? renderHostedPaymentHint(this.#selectedOffer, this.#texts)
          : undefined,
      });
  }

  #isPaymentShown({ provider }: PaymentOffer): boolean {
    return (
      !this.#signal.aborted &&
      this.#form.phase.name === 'filling' &&
      provider === this.#selectedOffer.provider
    );
  }

  #handleSlowField(payment: PaymentOffer, isOffline: boolean): void {
    if (isOffline) return this.#showFieldWhenOnline(payment);
    this.#slowProviders.add(payment.provider);
    if (this.#isPaymentShown(payment)) void this.#form.update({ isPaymentLoading: false });
    this.#offerHostedPage(payment);
  }

  async #handleFailedField(payment: PaymentOffer): Promise<void> {
    this.#fields.delete(payment.provider);
    this.#slowProviders.delete(payment.provider);
    if (this.#isPaymentShown(payment)) void this.#form.update({ isPaymentLoading: false });
    const isOffline = await this.#callbacks.isOffline();
    const isMountedAgain = this.#fields.has(payment.provider);
    if (isMountedAgain) return;
    if (isOffline) return this.#showFieldWhenOnline(payment);
    if (payment.hasHostedCheckout) this.#providersWithoutField.add(payment.provider);
    this.#offerHostedPage(payment);
  }

  #showFieldWhenOnline(payment: PaymentOffer): void {
    if (this.#isPaymentShown(payment)) this.#callbacks.onUnavailable('offline');
    addEventListener('online', this.#showFieldAgain, { once: true, signal: this.#signal });
  }

  readonly #showFieldAgain = (): void => {
    if (!this.#form.element.isConnected || this.#form.phase.name !== 'filling') return;
    this.#callbacks.onAvailable();
    this.showPayment();
  };

  /** Replaces the field with the hosted page, if the provider has one. */
  #offerHostedPage(payment: PaymentOffer): void {
    if (!this.#isPaymentShown(payment)) return;
    if (!payment.hasHostedCheckout) return this.#callbacks.onUnavailable('payment-unavailable');
    this.#slot.hideFields();
    this.#updatePaymentReplacement(true);
  }

  #handleLoadedField(payment: PaymentOffer): void {
    this.#loadedProviders.add(payment.provider);
    const wasSlow = this.#slowProviders.delete(payment.provider);
    if (!this.#isPaymentShown(payment)) return;
    void this.#form.update({ isPaymentLoading: false });
    this.#callbacks.onAvailable();
    if (wasSlow) this.showPayment();
  }

  #selectMethod(provider: string, method: PaymentMethodType): void {
    const { edits, applyEdits, phase } = this.#form;
    if (edits.paymentMethods?.[provider] === method || phase.name === 'loading') return;
    applyEdits({ paymentMethods: { ...edits.paymentMethods, [provider]: method } });
  }

  /**
   * Returns the donation request's `payment`, which includes a token if the donor pays in a field.
   */
  async confirmPayment(
    donor: DonationRequest['donor'],
  ): Promise<DonationRequest['payment'] | { readonly problem: PaymentProblem }> {
    const payment = this.#selectedOffer;
    const { provider } = payment;
    const returnUrl = buildReturnUrl(new URL(location.href));
    const returnOptions = returnUrl === undefined ? {} : { returnUrl };
    if (this.isHosted) return { provider, ...returnOptions };
    if (!payment.hasField) return { provider };
    if (this.#isInShadow) return { problem: 'unavailable' };
    this.#visitDetector.markVisited();
    const confirmation = await this.#confirmField(payment, {
      ...toPayerNameAndEmail(donor),
      ...returnOptions,
    });
    if (confirmation === 'hosted-page') return { provider, ...returnOptions };
    if (!('problem' in confirmation)) {
      this.#selectMethod(provider, confirmation.method);
      return { provider, ...confirmation, ...returnOptions };
    }
    return confirmation;
  }

  /**
   * Creates a token from the donor's input. Offers an alternative if the field does not respond
   * within {@link RESPONSE_TIME}.
   */
  async #confirmField(
    payment: PaymentOffer,
    payer: Payer,
  ): Promise<Confirmation | { readonly problem: 'canceled' } | 'hosted-page'> {
    const { provider, hasHostedCheckout } = payment;
    const field = await withTimeLimit(this.#showField(payment), RESPONSE_TIME, '').catch(
      () => undefined,
    );
    if (!field) {
      const isOffline = await this.#callbacks.isOffline();
      if (!isOffline && this.#fields.has(provider)) this.#slowProviders.add(provider);
      return { problem: 'unavailable' };
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const chosenAlternative = new Promise<Alternative>((resolve) => {
      const offerAlternative = async (): Promise<void> => {
        const isOffline = await this.#callbacks.isOffline();
        if (timer === undefined) return;
        const alternative = isOffline ? 'try-again' : this.#getPaymentAlternative(payment);
        this.#callbacks.onStalled(alternative, () => resolve(alternative), isOffline);
      };
      timer = setTimeout(() => void offerAlternative(), RESPONSE_TIME);
    });
    try {
      const result = await Promise.race([field.confirm(payer), chosenAlternative]);
      return result === 'other-provider' || result === 'try-again'
        ? { problem: 'canceled' }
        : result;
    } catch (error) {
      console.error(`donation-form: The payment field for "${provider}" failed.`, error);
      if (!hasHostedCheckout || (await this.#callbacks.isOffline())) return { problem: 'failed' };
      this.#providersWithoutField.add(provider);
      return { problem: 'unavailable' };
    } finally {
      clearTimeout(timer);
      timer = undefined;
    }
  }

  /** True if the form offers more than one provider. */
  get hasOtherProvider(): boolean {
    return this.#form.context!.definition.payments.length > 1;
  }

  /**
   * True if the donor does not pay on the selected provider's hosted page and the form offers
   * another provider.
   */
  get mustSwitchProvider(): boolean {
    return !this.isHosted && this.hasOtherProvider;
  }

  #getPaymentAlternative({ hasHostedCheckout }: PaymentOffer): Alternative {
    if (hasHostedCheckout) return 'hosted-page';
    return this.mustSwitchProvider ? 'other-provider' : 'try-again';
  }

  /**
   * Mounts the payment field of the outcome's provider. A reloaded form might have selected another
   * provider.
   */
  async mountFieldForOutcome({
    provider,
    gift: { total, currency, frequency },
  }: DonationOutcome): Promise<PaymentField | undefined> {
    const {
      definition: { payments, currencies },
      settings,
    } = this.#form.context!;
    const payment = payments.find((offered) => offered.provider === provider);
    const { decimals } = currencies.find(({ code }) => code === currency) ?? settings.currency;
    this.#visitDetector.markVisited();
    return (
      payment &&
      this.#slot.showField(payment, {
        ...this.#fieldContext,
        charge: { total, currency, decimals, frequency },
      })
    );
  }

  /** True if the donor pays in a field on the page. */
  get hasField(): boolean {
    return !this.isHosted && !this.#isInShadow && this.#selectedOffer.hasField;
  }

  /** Name of a method that is available only on the provider's page, such as PayPal. */
  get hostedMethodName(): string | undefined {
    return getHostedMethodName(this.#selectedOffer);
  }

  /**
   * Removes the field after a declined payment. The next mounted field is empty, with its first
   * method selected.
   */
  discardField(provider: string): void {
    const { edits } = this.#form;
    const paymentMethods = Object.fromEntries(
      Object.entries(edits.paymentMethods ?? {}).filter(([name]) => name !== provider),
    );
    this.#form.edits = { ...edits, paymentMethods };
    this.#fields.delete(provider);
    this.#loadedProviders.delete(provider);
    this.#slot.removeField(provider);
  }

  focusField(): Promise<void> {
    return this.#slot.focusField();
  }

  removeFields(): void {
    this.#fields.clear();
    this.#loadedProviders.clear();
    this.#slowProviders.clear();
    this.#slot.removeFields();
  }
}

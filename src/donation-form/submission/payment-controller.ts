import type { DonationRequest, PaymentOffer, DonationOutcome } from '@donation-form/core/schemas';
import {
  getRequiredPayerFields,
  isOffline,
  toPayer,
  getSelectedPayment,
} from '../state/selected-payment.ts';
import type { PaymentMethodType } from '@donation-form/core/donation';
import { buildReturnUrl } from '@donation-form/core/url';
import type { Confirmation, PaymentField } from '../payment-fields/payment-field.ts';
import { PaymentSlot, type PaymentFieldContext } from '../payment-fields/payment-slot.ts';
import type { SubmissionTexts } from '@donation-form/core/i18n';
import type { FormController } from '../form/form-controller.ts';
import { renderHostedPaymentHint } from '../sections/hosted-payment.ts';
import { isPaymentFieldNotice } from '../form/view-model.ts';

/** Shows the selected payment method: a payment field, a hosted page, or offline instructions. */
export class PaymentController {
  readonly #form: FormController;
  readonly #texts: SubmissionTexts;
  readonly #slot: PaymentSlot;
  readonly #reportUnavailable: () => void;
  #shownProvider = '';
  /** Providers whose field could not be loaded and that have a hosted page. */
  readonly #providersWithoutField = new Set<string>();

  /** @param reportUnavailable called if the selected payment method cannot be used. */
  constructor(form: FormController, texts: SubmissionTexts, reportUnavailable: () => void) {
    const { element } = form;
    this.#form = form;
    this.#texts = texts;
    this.#reportUnavailable = reportUnavailable;
    this.#slot = new PaymentSlot(
      element,
      () => element.shadowRoot!.querySelector('form')?.requestSubmit(),
      (provider, method) => this.#selectMethod(provider, method),
    );
  }

  get #selectedPayment(): PaymentOffer {
    return getSelectedPayment(this.#form.state, this.#form.context!.definition);
  }

  get #fieldContext(): PaymentFieldContext {
    const { context, loader, state, totals } = this.#form;
    const {
      definition,
      settings: {
        currency: { code, decimals, minimum },
      },
    } = context!;
    const { texts, language } = loader!;
    return {
      label: texts.payment,
      language,
      organization: definition.organization.name,
      collectedByForm: getRequiredPayerFields(definition),
      charge: {
        total: totals?.total ?? minimum,
        currency: code,
        decimals,
        frequency: state.frequency,
      },
    };
  }

  /** Payment fields need the light DOM of the page, which a form in a shadow root does not have. */
  get #isInShadow(): boolean {
    return this.#form.element.getRootNode() instanceof ShadowRoot;
  }

  /** True if the donor pays on the provider's hosted page. */
  get isHosted(): boolean {
    const { provider, hasHostedCheckout } = this.#selectedPayment;
    return hasHostedCheckout && (this.#isInShadow || this.#providersWithoutField.has(provider));
  }

  /** Shows the payment field or a hint instead of it. */
  showPayment(): void {
    const payment = this.#selectedPayment;
    const { isHosted } = this;
    this.#shownProvider = payment.provider;
    this.#showReplacement(isHosted);
    if (!isHosted && !isOffline(payment) && !this.#isInShadow)
      return void this.#slot
        .showField(payment, this.#fieldContext)
        .catch(() => this.#useHostedPage(payment));
    this.#slot.hideFields();
    if (isHosted || isOffline(payment)) return;
    console.error(
      `donation-form: Cannot show the payment field of "${payment.provider}" in a shadow root. ` +
        'Move <donation-form> into the page or a slot of the component, or use a payment provider ' +
        'with a hosted page.',
    );
    this.#reportUnavailable();
  }

  /** Call after the donor changed the donation or the payment method. */
  updatePayment(): void {
    if (this.#shownProvider === this.#selectedPayment.provider)
      return this.#slot.updateCharge(this.#fieldContext.charge);
    // A notice about the previous payment method no longer applies.
    if (isPaymentFieldNotice(this.#form.notice)) void this.#form.update({ notice: undefined });
    this.showPayment();
  }

  #showReplacement(isHosted: boolean): void {
    if (isHosted !== (this.#form.paymentReplacement !== undefined))
      void this.#form.update({
        paymentReplacement: isHosted ? renderHostedPaymentHint(this.#texts) : undefined,
      });
  }

  /** Falls back to the hosted page, if the provider has one. */
  #useHostedPage({ provider, hasHostedCheckout }: PaymentOffer): void {
    if (hasHostedCheckout) this.#providersWithoutField.add(provider);
    if (this.#form.phase.name !== 'filling' || provider !== this.#selectedPayment.provider) return;
    if (hasHostedCheckout) this.#showReplacement(true);
    else this.#reportUnavailable();
  }

  #selectMethod(provider: string, method: PaymentMethodType): void {
    const { edits, applyEdits, phase } = this.#form;
    if (edits.paymentMethods?.[provider] === method || phase.name === 'loading') return;
    applyEdits({ paymentMethods: { ...edits.paymentMethods, [provider]: method } });
  }

  /** Returns the payment part of the request, with a token if the donor pays in a field. */
  async confirmPayment(
    donor: DonationRequest['donor'],
  ): Promise<DonationRequest['payment'] | Extract<Confirmation, { problem: unknown }>> {
    const payment = this.#selectedPayment;
    const { provider } = payment;
    const returnUrl = buildReturnUrl(new URL(location.href));
    const returnOptions = returnUrl === undefined ? {} : { returnUrl };
    if (isOffline(payment)) return { provider };
    if (this.isHosted) return { provider, ...returnOptions };
    if (this.#isInShadow) return { problem: 'unavailable' };
    const confirmation = await this.#slot.confirm(payment, this.#fieldContext, {
      ...toPayer(donor),
      ...returnOptions,
    });
    if (!('problem' in confirmation)) {
      this.#selectMethod(provider, confirmation.method);
      return { provider, ...confirmation, ...returnOptions };
    }
    if (confirmation.problem === 'unavailable' && payment.hasHostedCheckout)
      this.#providersWithoutField.add(provider);
    return confirmation;
  }

  /** Mounts the field of the outcome's provider, which a reloaded form may not have selected. */
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
    return (
      payment &&
      this.#slot.showField(payment, {
        ...this.#fieldContext,
        charge: { total, currency, decimals, frequency },
      })
    );
  }

  /** Moves focus to the payment field. Returns false if the donor does not pay in a field. */
  focusVisibleField(): boolean {
    if (this.isHosted || this.#isInShadow || isOffline(this.#selectedPayment)) return false;
    void this.focusField();
    return true;
  }

  focusField(): Promise<void> {
    return this.#slot.focusField();
  }

  removeFields(): void {
    this.#slot.removeFields();
  }
}

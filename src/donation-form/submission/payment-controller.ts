import type { DonationRequest, PaymentOffer, Outcome } from '@donation-form/core/schemas';
import { askedOfPayer, isOffline, payerOf, paymentOf } from '../state/payment-options.ts';
import { returnAddress } from '@donation-form/core/url';
import type { Confirmation, PaymentField } from '../payment-fields/payment-field.ts';
import { PaymentSlot, type PaymentWords } from '../payment-fields/payment-slot.ts';
import type { SendingTexts } from '@donation-form/core/i18n';
import type { FormController } from '../form/form-controller.ts';
import { hostedHint } from '../sections/hosted-payment.ts';

/**
 * How the gift of a form is paid: in a provider's field, on a provider's own page, or elsewhere.
 */
export class PaymentController {
  readonly #form: FormController;
  readonly #texts: SendingTexts;
  readonly #slot: PaymentSlot;
  readonly #reportUnavailable: () => void;
  /** The way to pay that was shown last. */
  #shown = '';
  /** Ways to pay whose fields could not be loaded, and that have a page of their own. */
  readonly #withoutField = new Set<string>();

  /** @param sayUnavailable says that the chosen way to pay cannot be used. */
  constructor(live: FormController, texts: SendingTexts, sayUnavailable: () => void) {
    const { element } = live;
    this.#form = live;
    this.#texts = texts;
    this.#reportUnavailable = sayUnavailable;
    this.#slot = new PaymentSlot(element, () =>
      element.shadowRoot!.querySelector('form')?.requestSubmit(),
    );
  }

  get #chosen(): PaymentOffer {
    return paymentOf(this.#form.state, this.#form.context!.definition);
  }

  get #words(): PaymentWords {
    const { context, loader: source, state, sums } = this.#form;
    const {
      definition,
      settings: {
        currency: { code, decimals, minimum },
      },
    } = context!;
    const { texts, language } = source!;
    return {
      label: texts.payment,
      language,
      organization: definition.organization.name,
      asked: askedOfPayer(definition),
      gift: { total: sums?.total ?? minimum, currency: code, decimals, frequency: state.frequency },
    };
  }

  /** A form inside a shadow root has no light DOM for a field. */
  get #isInShadow(): boolean {
    return this.#form.element.getRootNode() instanceof ShadowRoot;
  }

  /** Whether the donor pays on the provider's own page. */
  get isHosted(): boolean {
    const { provider, hasHostedCheckout } = this.#chosen;
    return hasHostedCheckout && (this.#isInShadow || this.#withoutField.has(provider));
  }

  /** Shows what the chosen way to pay needs: its field, or that the donor pays elsewhere. */
  show(): void {
    const payment = this.#chosen;
    const { isHosted } = this;
    this.#shown = payment.provider;
    this.#showReplacement(isHosted);
    if (!isHosted && !isOffline(payment) && !this.#isInShadow)
      return void this.#slot.show(payment, this.#words).catch(() => this.#useHostedPage(payment));
    this.#slot.hide();
    if (isHosted || isOffline(payment)) return;
    console.error(
      `donation-form: the payment field of ${payment.provider} cannot be shown, because the form stands in a shadow root: payment providers need fields that the page itself can see. Put <donation-form> into the page, or into a slot of the component, or take a provider that has a page of its own.`,
    );
    this.#reportUnavailable();
  }

  /** The donor may have changed the gift, or the way to pay. */
  update(): void {
    if (this.#shown === this.#chosen.provider) return this.#slot.update(this.#words.gift);
    // What was said of the way to pay before is not about this one.
    if (this.#form.notice?.startsWith('card')) void this.#form.update({ notice: undefined });
    this.show();
  }

  #showReplacement(isHosted: boolean): void {
    if (isHosted !== (this.#form.paymentReplacement !== undefined))
      void this.#form.update({
        paymentReplacement: isHosted ? hostedHint(this.#texts) : undefined,
      });
  }

  /** The field cannot be loaded: the provider's own page takes its place, where there is one. */
  #useHostedPage({ provider, hasHostedCheckout }: PaymentOffer): void {
    if (hasHostedCheckout) this.#withoutField.add(provider);
    if (this.#form.phase.name !== 'filling' || provider !== this.#chosen.provider) return;
    if (hasHostedCheckout) this.#showReplacement(true);
    else this.#reportUnavailable();
  }

  /**
   * How the gift is paid: what the field made of what the donor entered, or nothing where there is
   * none.
   */
  async confirm(
    donor: DonationRequest['donor'],
  ): Promise<DonationRequest['payment'] | Extract<Confirmation, { problem: unknown }>> {
    const payment = this.#chosen;
    const { provider } = payment;
    const address = returnAddress(new URL(location.href));
    const back = address === undefined ? {} : { returnUrl: address };
    if (isOffline(payment)) return { provider };
    if (this.isHosted) return { provider, ...back };
    if (this.#isInShadow) return { problem: 'unavailable' };
    const confirmation = await this.#slot.confirm(payment, this.#words, {
      ...payerOf(donor),
      ...back,
    });
    if (!('problem' in confirmation)) return { provider, ...confirmation, ...back };
    if (confirmation.problem === 'unavailable' && payment.hasHostedCheckout)
      this.#withoutField.add(provider);
    return confirmation;
  }

  /**
   * The field that an outcome is about: after the page was loaded anew, the donor may not have
   * chosen it again.
   */
  async mountFieldFor({
    provider,
    gift: { total, currency, frequency },
  }: Outcome): Promise<PaymentField | undefined> {
    const {
      definition: { payments, currencies },
      settings,
    } = this.#form.context!;
    const payment = payments.find((one) => one.provider === provider);
    const { decimals } = currencies.find(({ code }) => code === currency) ?? settings.currency;
    return (
      payment &&
      this.#slot.show(payment, { ...this.#words, gift: { total, currency, decimals, frequency } })
    );
  }

  focus(): Promise<void> {
    return this.#slot.focus();
  }

  remove(): void {
    this.#slot.remove();
  }
}

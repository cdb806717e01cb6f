import type { PaymentOffer } from '@donation-form/core/schemas';
import type { PaymentMethodType } from '@donation-form/core/donation';
import type {
  Confirmation,
  Payer,
  PaymentField,
  PaymentFieldOptions,
  ChargeSummary,
} from './payment-field.ts';
import { findPaymentProvider } from './registry.ts';

/** Mount options that come from the form rather than from the payment method. */
export type PaymentFieldContext = Omit<
  PaymentFieldOptions,
  'options' | 'methods' | 'requestSubmit' | 'selectMethod'
>;

interface MountedField {
  readonly host: HTMLElement;
  readonly field: Promise<PaymentField>;
  charge: ChargeSummary;
}

/**
 * Manages the slot `payment` of a form: light-DOM children that hold the providers' fields. Shows
 * one of them at a time.
 */
export class PaymentSlot {
  readonly #form: HTMLElement;
  readonly #requestSubmit: () => void;
  readonly #selectMethod: (provider: string, method: PaymentMethodType) => void;
  /** By provider; a field keeps its input while the donor tries another payment method. */
  readonly #mountedFields = new Map<string, MountedField>();

  /**
   * @param requestSubmit called when the donor presses Enter in the field.
   * @param selectMethod called when a field's selected method changes.
   */
  constructor(
    form: HTMLElement,
    requestSubmit: () => void,
    selectMethod: (provider: string, method: PaymentMethodType) => void,
  ) {
    this.#form = form;
    this.#requestSubmit = requestSubmit;
    this.#selectMethod = selectMethod;
  }

  /**
   * Shows the field of a payment method. Mounts it first if needed, or if the page has removed it.
   * @throws if the field cannot be loaded; the next call tries again.
   */
  showField(payment: PaymentOffer, fieldContext: PaymentFieldContext): Promise<PaymentField> {
    const { provider } = payment;
    if (this.#mountedFields.get(provider)?.host.parentNode !== this.#form)
      this.#unmountField(provider);
    const mounted = this.#mountedFields.get(provider) ?? this.#mountField(payment, fieldContext);
    for (const { host } of this.#mountedFields.values())
      host.slot = host === mounted.host ? 'payment' : 'payment-hidden';
    this.updateCharge(fieldContext.charge);
    return mounted.field;
  }

  /** Updates the charge in all fields, if it has changed. */
  updateCharge(charge: ChargeSummary): void {
    for (const mounted of this.#mountedFields.values()) {
      if (JSON.stringify(mounted.charge) === JSON.stringify(charge)) continue;
      mounted.charge = charge;
      mounted.field.then((field) => field.update(charge)).catch(() => undefined);
    }
  }

  /** Creates a token from the donor's input. */
  async confirm(
    payment: PaymentOffer,
    fieldContext: PaymentFieldContext,
    payer: Payer,
  ): Promise<Confirmation> {
    const field = await this.showField(payment, fieldContext).catch(() => undefined);
    return field?.confirm(payer) ?? { problem: 'unavailable' };
  }

  /** Moves focus to the visible field. */
  async focusField(): Promise<void> {
    (
      await [...this.#mountedFields.values()].find(({ host }) => host.slot === 'payment')?.field
    )?.focus();
  }

  hideFields(): void {
    for (const { host } of this.#mountedFields.values()) host.slot = 'payment-hidden';
  }

  removeFields(): void {
    for (const provider of this.#mountedFields.keys()) this.#unmountField(provider);
  }

  #unmountField(provider: string): void {
    const mounted = this.#mountedFields.get(provider);
    void mounted?.field.then(
      (field) => field.destroy(),
      () => undefined,
    );
    mounted?.host.remove();
    this.#mountedFields.delete(provider);
  }

  #mountField(
    { provider, options, methods }: PaymentOffer,
    fieldContext: PaymentFieldContext,
  ): MountedField {
    const host = document.createElement('div');
    // The page's style sheet applies to slotted elements and overrides the form's.
    host.style.cssText = 'all: unset !important; display: block !important';
    this.#form.append(host);
    const mounted: MountedField = {
      host,
      charge: fieldContext.charge,
      field: this.#loadField(provider, host, {
        options,
        methods,
        ...fieldContext,
        selectMethod: (method) => this.#selectMethod(provider, method),
        requestSubmit: this.#requestSubmit,
      }),
    };
    this.#mountedFields.set(provider, mounted);
    mounted.field.catch((error: unknown) => {
      console.error(`donation-form: Could not load the payment field of "${provider}".`, error);
      if (this.#mountedFields.get(provider) === mounted) this.#unmountField(provider);
      host.remove();
    });
    return mounted;
  }

  async #loadField(
    provider: string,
    host: HTMLElement,
    options: PaymentFieldOptions,
  ): Promise<PaymentField> {
    const load = await findPaymentProvider(provider);
    return (await load()).mount(host, options);
  }
}

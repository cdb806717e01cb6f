import type { PaymentMethodType } from '@donation-form/core/donation';
import type { PaymentOffer } from '@donation-form/core/schemas';
import { stringifyJson } from '../page/stringify-json.ts';
import { addFieldHost } from './field-host.ts';
import type { ChargeSummary, PaymentField, PaymentFieldOptions } from './payment-field.ts';
import { findPaymentProvider } from './registry.ts';

export type PaymentFieldContext = Omit<
  PaymentFieldOptions,
  'options' | 'methods' | 'hasWallets' | 'requestSubmit' | 'selectMethod'
>;

/** A row of the list of payment methods: a provider, or one of its methods. */
export interface PaymentRow extends PaymentOffer {
  /** Value of the row's control. */
  readonly id: string;
}

interface PaymentSlotOptions {
  readonly form: HTMLElement;
  /** Resolves when fields can start to load. */
  readonly visited: Promise<void>;
  readonly requestSubmit: () => void;
  readonly selectMethod: (rowId: string, method: PaymentMethodType) => void;
}

interface MountedField {
  readonly container: HTMLElement;
  readonly field: Promise<PaymentField>;
  charge: ChargeSummary;
  email: string | undefined;
}

/** Manages the fields in a form's `payment` slot. Shows one at a time. */
export class PaymentSlot {
  readonly #options: PaymentSlotOptions;
  /** By row. A field retains its input while the donor tries another method. */
  readonly #mountedFields = new Map<string, MountedField>();
  /** Heights of removed fields, in pixels. */
  readonly #heights = new Map<string, number>();

  constructor(options: PaymentSlotOptions) {
    this.#options = options;
  }

  /**
   * Also mounts a field that the page has removed or that failed to load.
   * @throws if it fails to load.
   */
  showField(row: PaymentRow, fieldContext: PaymentFieldContext): Promise<PaymentField> {
    const { id } = row;
    if (this.#mountedFields.get(id)?.container.parentNode !== this.#options.form)
      this.removeField(id);
    const mounted = this.#mountedFields.get(id) ?? this.#mountField(row, fieldContext);
    for (const { container } of this.#mountedFields.values())
      container.slot = container === mounted.container ? 'payment' : 'payment-hidden';
    this.updateFields(fieldContext);
    return mounted.field;
  }

  updateFields({ charge, email }: Pick<PaymentFieldContext, 'charge' | 'email'>): void {
    for (const mounted of this.#mountedFields.values()) {
      const update = (apply: (field: PaymentField) => void): void => {
        mounted.field.then(apply).catch(() => undefined);
      };
      if (email !== undefined && mounted.email !== email) {
        mounted.email = email;
        update((field) => mounted.email === email && field.updateEmail?.(email));
      }
      if (stringifyJson(mounted.charge) === stringifyJson(charge)) continue;
      mounted.charge = charge;
      update((field) => mounted.charge === charge && field.update(charge));
    }
  }

  async focusField(): Promise<void> {
    try {
      (
        await [...this.#mountedFields.values()].find(
          ({ container }) => container.slot === 'payment',
        )?.field
      )?.focus();
    } catch (error) {
      console.error('donation-form: Cannot focus the payment field.', error);
    }
  }

  hideFields(): void {
    for (const { container } of this.#mountedFields.values()) container.slot = 'payment-hidden';
  }

  removeFields(): void {
    for (const id of this.#mountedFields.keys()) this.removeField(id);
  }

  removeField(id: string): void {
    const mounted = this.#mountedFields.get(id);
    const height = mounted?.container.offsetHeight;
    if (height) this.#heights.set(id, height);
    mounted?.field.then((field) => field.destroy()).catch(() => undefined);
    mounted?.container.remove();
    this.#mountedFields.delete(id);
  }

  #mountField(
    { id, provider, options, methods, hasWallets }: PaymentRow,
    fieldContext: PaymentFieldContext,
  ): MountedField {
    const { form, visited, requestSubmit, selectMethod } = this.#options;
    const { container, host } = addFieldHost(form, 'payment');
    // As tall as the previous field or a card form, to keep the page from moving.
    const height = this.#heights.get(id);
    container.style.setProperty('min-height', height ? `${height}px` : '6.9375em', 'important');
    const mounted: MountedField = {
      container,
      charge: fieldContext.charge,
      email: fieldContext.email,
      field: visited.then(async () => {
        const { mount } = await (await findPaymentProvider(provider))(options);
        return mount(host, {
          options,
          methods,
          hasWallets,
          ...fieldContext,
          charge: mounted.charge,
          email: mounted.email,
          selectMethod: (method) => selectMethod(id, method),
          requestSubmit,
        });
      }),
    };
    this.#mountedFields.set(id, mounted);
    mounted.field.then(
      () => container.style.removeProperty('min-height'),
      (error: unknown) => {
        console.error(`donation-form: Cannot load the payment field for "${provider}".`, error);
        if (this.#mountedFields.get(id) === mounted) this.removeField(id);
        container.remove();
      },
    );
    return mounted;
  }
}

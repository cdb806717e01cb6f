import type { FormDefinition } from '../contract/form-definition.ts';
import type { Confirmation, MountPaymentField, PaymentField } from './payment-field.ts';

/** The payment providers that a form's definition can name; each is loaded when a form needs it. */
const PROVIDERS: Readonly<Record<string, () => Promise<{ readonly mount: MountPaymentField }>>> = {
  sandbox: () => import('./sandbox.ts'),
};

/** The slot `payment` of a form: a light-DOM child that holds the provider's field. */
export class PaymentSlot {
  readonly #form: HTMLElement;
  #field: Promise<PaymentField> | undefined;

  constructor(form: HTMLElement) {
    this.#form = form;
  }

  /** The field, mounted where it is not yet. @throws where it cannot be loaded; the next call tries anew. */
  show(payment: FormDefinition['payment']): Promise<PaymentField> {
    this.#field ??= mount(this.#form, payment).catch((error: unknown) => {
      this.#field = undefined;
      throw error;
    });
    return this.#field;
  }

  /** Turns the card into a token. A field that cannot be loaded has failed. */
  async confirm(payment: FormDefinition['payment']): Promise<Confirmation> {
    try {
      return await (await this.show(payment)).confirm();
    } catch {
      return { problem: 'failed' };
    }
  }

  async focus(): Promise<void> {
    (await this.#field)?.focus();
  }

  remove(): void {
    void this.#field?.then((field) => field.destroy(), () => undefined);
    this.#field = undefined;
  }
}

async function mount(form: HTMLElement, { provider, options }: FormDefinition['payment']): Promise<PaymentField> {
  const host = document.createElement('div');
  host.slot = 'payment';
  form.append(host);
  try {
    const load = PROVIDERS[provider];
    if (!load) throw new Error(`the payment provider ${provider} is not known to this script`);
    const field = await (await load()).mount(host, options);
    return { ...field, destroy: () => { field.destroy(); host.remove(); } };
  } catch (error) {
    host.remove();
    throw error;
  }
}

import type { FormDefinition } from '../contract/form-definition.ts';
import type { Confirmation, MountPaymentField, PaymentField, PaymentFieldOptions } from './payment-field.ts';

/** The payment providers that a form's definition can name; each is loaded when a form needs it. */
const PROVIDERS: Readonly<Record<string, () => Promise<{ readonly mount: MountPaymentField }>>> = {
  sandbox: () => import('./sandbox.ts'),
};

type Words = Pick<PaymentFieldOptions, 'label' | 'language'>;

/** The slot `payment` of a form: a light-DOM child that holds the provider's field. */
export class PaymentSlot {
  readonly #form: HTMLElement;
  readonly #requestSubmit: () => void;
  #field: Promise<PaymentField> | undefined;
  #host: HTMLElement | undefined;

  /** @param requestSubmit called when the donor presses Enter in the field. */
  constructor(form: HTMLElement, requestSubmit: () => void) {
    this.#form = form;
    this.#requestSubmit = requestSubmit;
  }

  /** The field, mounted where it is not yet, or where the page has removed it. @throws where it cannot be loaded; the next call tries anew. */
  show(payment: FormDefinition['payment'], words: Words): Promise<PaymentField> {
    if (this.#host?.parentNode !== this.#form) this.remove();
    if (this.#field) return this.#field;
    const field = this.#field = this.#mount(payment, words).catch((error: unknown) => {
      if (this.#field === field) this.#field = undefined;
      throw error;
    });
    return field;
  }

  /** Turns the card into a token. */
  async confirm(payment: FormDefinition['payment'], words: Words): Promise<Confirmation> {
    const field = await this.show(payment, words).catch(() => undefined);
    return field?.confirm() ?? { problem: 'unavailable' };
  }

  async focus(): Promise<void> {
    (await this.#field)?.focus();
  }

  remove(): void {
    void this.#field?.then((field) => field.destroy(), () => undefined);
    this.#host?.remove();
    this.#field = undefined;
  }

  async #mount({ provider, options }: FormDefinition['payment'], words: Words): Promise<PaymentField> {
    const host = this.#host = document.createElement('div');
    host.slot = 'payment';
    // The page's own style sheet reaches what is slotted, and is stronger than the form's.
    host.style.cssText = 'all: unset !important; display: block !important; margin: -5px !important';
    this.#form.append(host);
    try {
      const load = PROVIDERS[provider];
      if (!load) throw new Error(`the payment provider ${provider} is not known to this script`);
      return await (await load()).mount(host, { options, ...words, requestSubmit: this.#requestSubmit });
    } catch (error) {
      host.remove();
      throw error;
    }
  }
}

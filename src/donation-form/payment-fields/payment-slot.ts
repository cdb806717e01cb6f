import type { PaymentOffer } from '@donation-form/core/schemas';
import type {
  Confirmation,
  Payer,
  PaymentField,
  PaymentFieldOptions,
  PaymentGift,
} from './payment-field.ts';
import { findProvider } from './registry.ts';

/** What a form says of itself to its payment field. */
export type PaymentWords = Omit<PaymentFieldOptions, 'options' | 'methods' | 'requestSubmit'>;

interface Mounted {
  readonly host: HTMLElement;
  readonly field: Promise<PaymentField>;
  gift: PaymentGift;
}

/**
 * The slot `payment` of a form: light-DOM children that hold the providers' fields, of which one is
 * shown.
 */
export class PaymentSlot {
  readonly #form: HTMLElement;
  readonly #requestSubmit: () => void;
  /** By provider: who changes the way to pay and changes it back finds the field as it was. */
  readonly #mounted = new Map<string, Mounted>();

  /** @param requestSubmit called when the donor presses Enter in the field. */
  constructor(form: HTMLElement, requestSubmit: () => void) {
    this.#form = form;
    this.#requestSubmit = requestSubmit;
  }

  /**
   * The field of one way to pay, in sight; mounted where it is not yet, or where the page has
   * removed it.
   * @throws where it cannot be loaded; the next call tries anew.
   */
  show(payment: PaymentOffer, words: PaymentWords): Promise<PaymentField> {
    const { provider } = payment;
    if (this.#mounted.get(provider)?.host.parentNode !== this.#form) this.#unmount(provider);
    const mounted = this.#mounted.get(provider) ?? this.#mount(payment, words);
    for (const { host } of this.#mounted.values())
      host.slot = host === mounted.host ? 'payment' : 'payment-not-shown';
    this.update(words.gift);
    return mounted.field;
  }

  /** The gift that is shown may be another one. */
  update(gift: PaymentGift): void {
    for (const mounted of this.#mounted.values()) {
      if (JSON.stringify(mounted.gift) === JSON.stringify(gift)) continue;
      mounted.gift = gift;
      mounted.field.then((field) => field.update(gift)).catch(() => undefined);
    }
  }

  /** Turns what the donor entered into a token. */
  async confirm(payment: PaymentOffer, words: PaymentWords, payer: Payer): Promise<Confirmation> {
    const field = await this.show(payment, words).catch(() => undefined);
    return field?.confirm(payer) ?? { problem: 'unavailable' };
  }

  /** Leads into the field that is shown. */
  async focus(): Promise<void> {
    (await [...this.#mounted.values()].find(({ host }) => host.slot === 'payment')?.field)?.focus();
  }

  /** No field is in sight. */
  hide(): void {
    for (const { host } of this.#mounted.values()) host.slot = 'payment-not-shown';
  }

  remove(): void {
    for (const provider of this.#mounted.keys()) this.#unmount(provider);
  }

  #unmount(provider: string): void {
    const mounted = this.#mounted.get(provider);
    void mounted?.field.then(
      (field) => field.destroy(),
      () => undefined,
    );
    mounted?.host.remove();
    this.#mounted.delete(provider);
  }

  #mount({ provider, options, methods }: PaymentOffer, words: PaymentWords): Mounted {
    const host = document.createElement('div');
    // The page's own style sheet reaches what is slotted, and is stronger than the form's.
    host.style.cssText = 'all: unset !important; display: block !important';
    this.#form.append(host);
    const mounted: Mounted = {
      host,
      gift: words.gift,
      field: this.#load(provider, host, {
        options,
        methods,
        ...words,
        requestSubmit: this.#requestSubmit,
      }),
    };
    this.#mounted.set(provider, mounted);
    mounted.field.catch((error: unknown) => {
      console.error(`donation-form: the payment field of ${provider} could not be loaded.`, error);
      if (this.#mounted.get(provider) === mounted) this.#unmount(provider);
      host.remove();
    });
    return mounted;
  }

  async #load(
    provider: string,
    host: HTMLElement,
    options: PaymentFieldOptions,
  ): Promise<PaymentField> {
    const load = await findProvider(provider);
    return (await load()).mount(host, options);
  }
}

/** What came of turning the card into a token. `incomplete`: the field shows the donor what is missing. `failed`: the processor did not answer. `unavailable`: the field could not be loaded. */
export type Confirmation = { readonly token: string } | { readonly problem: 'incomplete' | 'failed' | 'unavailable' };

/** A payment provider's field on the page. */
export interface PaymentField {
  confirm(): Promise<Confirmation>;
  focus(): void;
  /** Ends it; a confirmation that is under way has failed. */
  destroy(): void;
}

export interface PaymentFieldOptions {
  /** The public part of the form's definition. */
  readonly options: Readonly<Record<string, string>>;
  /** The form's language, BCP 47. */
  readonly language: string;
  /** Called when the donor presses Enter in the field. */
  readonly requestSubmit: () => void;
}

/**
 * A payment provider, as the browser sees it.
 * @param host a light-DOM element of the page, because payment providers refuse shadow roots.
 * @returns the field, when the donor can use it; rejects where it cannot be loaded.
 */
export type MountPaymentField = (host: HTMLElement, options: PaymentFieldOptions) => Promise<PaymentField>;

import type { DonationFrequency, PaymentMethodType } from '@donation-form/core/donation';

/**
 * Result of confirming a payment field: a token, or a problem. `incomplete`: the field shows the
 * donor what is missing. `email-invalid`: the processor rejected the donor's email. `failed`: the
 * processor did not respond. `unavailable`: the field could not be loaded.
 */
export type Confirmation =
  | { readonly token: string; readonly method: PaymentMethodType }
  | { readonly problem: 'incomplete' | 'email-invalid' | 'failed' | 'unavailable' };

/** The charge that the donor is about to confirm. Wallets show it. */
export interface ChargeSummary {
  /** Minor units; the form's minimum while the donor has not chosen a valid amount. */
  readonly total: number;
  /** ISO 4217. */
  readonly currency: string;
  /** The currency's number of decimal places. */
  readonly decimals: number;
  readonly frequency: DonationFrequency;
  /** Alpha-2 code of the donor's country; absent or empty while the donor has not entered it. */
  readonly country?: string | undefined;
}

/** The payer's details, as entered when the form is submitted. */
export interface Payer {
  /** Name of a person or an organization. */
  readonly name?: string;
  readonly email?: string;
  /**
   * URL that the processor or the bank returns the donor to; absent if the page is not served over
   * HTTP.
   */
  readonly returnUrl?: string;
}

/** A payment provider's field on the page, such as a card form. */
export interface PaymentField {
  /** Updates the charge after the donor changed the donation. */
  update(charge: ChargeSummary): void;
  /** Updates {@link PaymentFieldOptions.email} after the donor entered another valid email. */
  updateEmail?(email: string): void;
  /** Creates a token that the server can charge once. */
  confirm(payer: Payer): Promise<Confirmation>;
  /**
   * Lets the donor complete an additional step before the charge, such as 3-D Secure. Resolves when
   * the step has ended, whether or not it succeeded; the form then asks the server for the outcome.
   * May leave the page instead.
   * @param secret created for this step by the payment gateway on the server.
   */
  handleNextAction(secret: string): Promise<void>;
  focus(): void;
  /** Removes the field. Fails a pending confirmation and ends a pending action. */
  destroy(): void;
}

/** Options for mounting a payment field. */
export interface PaymentFieldOptions {
  /** Public options of the provider, from the form definition. */
  readonly options: Readonly<Record<string, string>>;
  /** Payment methods to offer. */
  readonly methods: readonly PaymentMethodType[];
  readonly charge: ChargeSummary;
  /** Name of the organization that receives the donation. */
  readonly organization: string;
  /** Details that the form itself requires and passes in {@link Payer}; the field can omit them. */
  readonly collectedByForm: readonly ('name' | 'email')[];
  /** Email that the donor has entered so far, if it is valid. */
  readonly email?: string | undefined;
  /**
   * URL of the page where donors manage recurring donations; absent if the provider has none.
   */
  readonly manageUrl?: string | undefined;
  /** True if the form shows the provider's wallet buttons elsewhere; the field can omit them. */
  readonly hasWallets?: boolean | undefined;
  /** Accessible name of the field. */
  readonly label: string;
  /** Language of the form, BCP 47. */
  readonly language: string;
  /**
   * Call when the donor selects a method in the field, and when the field selects one by itself. The
   * form then offers to cover this method's fee. Not needed with a single method.
   */
  readonly selectMethod: (method: PaymentMethodType) => void;
  /** Called when the donor presses Enter in the field. */
  readonly requestSubmit: () => void;
}

/**
 * Mounts a payment field.
 * @param host an element in the light DOM, because payment providers do not support shadow roots.
 * @returns the field once it is ready to use; rejects if it cannot be loaded.
 */
export type PaymentFieldFactory = (
  host: HTMLElement,
  options: PaymentFieldOptions,
) => Promise<PaymentField>;

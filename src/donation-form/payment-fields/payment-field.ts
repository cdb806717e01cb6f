import type { DonationFrequency, PaymentMethodType } from '@donation-form/core/donation';

/**
 * Result of confirming a payment field: a token, or a problem. `incomplete`: the field shows what
 * the donor must correct. `email-invalid`: the processor rejected the donor's email. `failed`: the
 * processor did not respond. `unavailable`: the field could not be loaded.
 */
export type Confirmation =
  | { readonly token: string; readonly method: PaymentMethodType }
  | { readonly problem: 'incomplete' | 'email-invalid' | 'failed' | 'unavailable' };

/** The charge that the donor is about to confirm. Wallets display this charge. */
export interface ChargeSummary {
  /** Total in minor units. Equals the form's minimum until the donor chooses a valid amount. */
  readonly total: number;
  /** ISO 4217. */
  readonly currency: string;
  /** The currency's number of decimal places. */
  readonly decimals: number;
  readonly frequency: DonationFrequency;
  /** ISO 3166-1 alpha-2 code of the donor's country. Absent or empty until the donor enters it. */
  readonly country?: string | undefined;
}

/** The payer's details at the time the donor submits the form. */
export interface Payer {
  /** Name of the person or organization. */
  readonly name?: string;
  readonly email?: string;
  /** URL to which the provider or bank returns the donor. Absent if the page is not on the web. */
  readonly returnUrl?: string;
}

/** A payment provider's field on the page, such as a card form. */
export interface PaymentField {
  /** Updates the charge after the donor changes the donation. */
  update(charge: ChargeSummary): void;
  /** Updates {@link PaymentFieldOptions.email} after the donor enters another valid email. */
  updateEmail?(email: string): void;
  /** Creates a token that the server can charge once. */
  confirm(payer: Payer): Promise<Confirmation>;
  /**
   * Lets the donor complete an additional step before the charge, such as 3-D Secure. Resolves when
   * the step ends, whether or not the step succeeded. The form then requests the outcome from the
   * server. Alternatively, this method can navigate away from the page.
   * @param secret secret that the server's payment gateway created for this step.
   */
  handleNextAction(secret: string): Promise<void>;
  focus(): void;
  /** Removes the field. Rejects a pending confirmation and ends a pending action. */
  destroy(): void;
}

/** Options for mounting a payment field. */
export interface PaymentFieldOptions {
  /** The provider's public options from the form definition. */
  readonly options: Readonly<Record<string, string>>;
  /** Payment methods to offer. */
  readonly methods: readonly PaymentMethodType[];
  readonly charge: ChargeSummary;
  /** Name of the organization that receives the donation. */
  readonly organization: string;
  /**
   * Details that the form requires and passes in {@link Payer}. The field can omit inputs for them.
   */
  readonly collectedByForm: readonly ('name' | 'email')[];
  /** The donor's email, if the donor has already entered a valid email. */
  readonly email?: string | undefined;
  /** True if the form shows the wallet buttons elsewhere. The field can then omit them. */
  readonly hasWallets?: boolean | undefined;
  /** Accessible name of the field. */
  readonly label: string;
  /** Language of the form, as a BCP 47 tag. */
  readonly language: string;
  /**
   * Call when the donor or the field itself selects a method. The form then offers to cover this
   * method's fee. A field with a single method does not need to call this function.
   */
  readonly selectMethod: (method: PaymentMethodType) => void;
  /** Call when the donor presses Enter in the field. */
  readonly requestSubmit: () => void;
}

/**
 * Mounts a payment field.
 * @param host an element in the light DOM, because payment providers do not support shadow roots.
 * @returns a promise that resolves to the field when it is ready. The promise rejects if the field
 *   fails to load.
 */
export type PaymentFieldFactory = (
  host: HTMLElement,
  options: PaymentFieldOptions,
) => Promise<PaymentField>;

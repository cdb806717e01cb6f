import type { ChargeSummary, Confirmation } from './payment-field.ts';

/** Donor details that the form requires and a wallet can provide. */
export type WalletDetail = 'name' | 'email' | 'phone' | 'address';

/** Donor details from a wallet. The wallet can omit any of these details. */
export interface WalletDonor {
  /** Full name. */
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly address?: WalletAddress | undefined;
}

/** A postal address from a wallet. */
export interface WalletAddress {
  readonly line1?: string | undefined;
  readonly line2?: string | undefined;
  readonly city?: string | undefined;
  /** Code or name. */
  readonly state?: string | undefined;
  readonly postal?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
}

/** The charge that a wallet displays. */
export interface WalletCharge extends ChargeSummary {
  /** Parts of the total, with amounts in minor units. Empty if there is only one part. */
  readonly items: readonly { readonly name: string; readonly amount: number }[];
}

/** A payment that the donor approved in a wallet. */
export interface WalletApproval {
  readonly donor: WalletDonor;
  /**
   * Creates a token that the server can charge once.
   * @param returnUrl URL to which the provider or bank returns the donor.
   */
  createToken(returnUrl: string | undefined): Promise<Confirmation>;
  /** Notifies the wallet that no charge will be made. */
  fail(): void;
}

/** A payment provider's wallet buttons on the page. */
export interface WalletButtons {
  /** Methods with a button, by the provider's names. The form lists no row for them. */
  readonly methods?: readonly string[];
  /** Updates the charge after the donor changes the donation. */
  update(charge: WalletCharge): void;
  focus(): void;
  /** Removes the buttons. */
  destroy(): void;
}

/** Options for mounting wallet buttons. */
export interface WalletButtonsOptions {
  /** The provider's public options from the form definition. */
  readonly options: Readonly<Record<string, string>>;
  readonly charge: WalletCharge;
  /** Name of the organization that receives the donation. */
  readonly organization: string;
  /** Details to request from the wallet. */
  readonly details: readonly WalletDetail[];
  /** URL of the page where donors manage recurring donations. Absent if the provider has none. */
  readonly manageUrl?: string | undefined;
  /** Language of the form, as a BCP 47 tag. */
  readonly language: string;
  /**
   * Call when the donor presses a button, before the wallet opens. Returns the charge to display,
   * or `undefined` if the wallet must not open, for example because the form has an error.
   */
  readonly openWallet: () => WalletCharge | undefined;
  /** Call when the wallet closes without the donor's approval. */
  readonly cancelWallet: () => void;
  /** Call when the donor approves the payment in the wallet. */
  readonly approvePayment: (approval: WalletApproval) => void;
}

/**
 * Mounts wallet buttons in one row with a height of 48 px.
 * @param host an element in the light DOM, because payment providers do not support shadow roots.
 * @returns a promise that resolves to the buttons when they are ready, or to `undefined` if the
 *   donor has no wallet. The promise rejects if the buttons fail to load.
 * @example
 * ```ts
 * import { PaymentMethodType, type WalletButtonsFactory } from 'donation-form/payment';
 *
 * export const mountWallets: WalletButtonsFactory = async (
 *   host,
 *   { openWallet, cancelWallet, approvePayment },
 * ) => {
 *   const button = document.createElement('button');
 *   Object.assign(button, { type: 'button', textContent: 'Acme Wallet' });
 *   button.onclick = () => {
 *     const charge = openWallet(); // undefined: the donor has to answer a question first
 *     if (!charge) return;
 *     if (!confirm(`Give ${charge.total}?`)) return cancelWallet();
 *     approvePayment({
 *       donor: { name: 'Ana Souza', email: 'ana@example.org' },
 *       createToken: async () => ({ token: 'acme_1', method: PaymentMethodType.Wallet }),
 *       fail: () => undefined, // nothing is charged: the wallet closes
 *     });
 *   };
 *   host.append(button);
 *   return { update: () => undefined, focus: () => button.focus(), destroy: () => button.remove() };
 * };
 * ```
 */
export type WalletButtonsFactory = (
  host: HTMLElement,
  options: WalletButtonsOptions,
) => Promise<WalletButtons | undefined>;

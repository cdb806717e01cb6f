import type { GiftFrequency } from '../../model/frequency.ts';
import type { PaymentMethodType } from '../../model/payment.ts';

export interface Charge {
  /** Our reference: the processor's idempotency key and metadata, by which the charge is found again. */
  readonly reference: string;
  /** What is charged, minor units. */
  readonly total: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly frequency: GiftFrequency;
  readonly method: PaymentMethodType;
  /** What the payment field in the browser made of the card; works once. */
  readonly token: string;
}

export type ChargeResult =
  | { readonly state: 'succeeded'; readonly paymentId: string }
  | { readonly state: 'declined' };

/** A payment processor, as the server sees it. */
export interface PaymentGateway {
  /**
   * Charges once for each reference, however often it is called.
   * @throws {NotChargedError} where nothing was charged, for certain; any other error leaves that open, and {@link find} tells.
   */
  charge(charge: Charge): Promise<ChargeResult>;
  /** What became of a charge; `undefined` where the processor has never seen the reference. */
  find(reference: string): Promise<ChargeResult | undefined>;
}

/** The processor was not reached, or refused the call: nothing was charged. */
export class NotChargedError extends Error {
  override readonly name = 'NotChargedError';
}

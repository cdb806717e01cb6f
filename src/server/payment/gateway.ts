import type { GiftFrequency } from '../../model/frequency.ts';

export interface Charge {
  /** Our reference: the processor's idempotency key and metadata, by which the charge is found again. */
  readonly reference: string;
  /** What is charged, minor units. */
  readonly total: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly frequency: GiftFrequency;
  /** What the payment field in the browser made of the card; works once. */
  readonly token: string;
}

/** What the processor says of a charge, in its own words: the amount in minor units, the currency as ISO 4217. */
export interface ChargeResult {
  readonly state: 'succeeded' | 'declined';
  readonly paymentId: string;
  readonly total: number;
  readonly currency: string;
}

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

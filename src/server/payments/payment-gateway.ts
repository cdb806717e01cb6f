import type { RecurringState } from '@donation-form/core/donation';
import type { Action } from '@donation-form/core/schemas';
import type { Finding } from '../lib/finding.ts';
import type { GiftFrequency, PaymentMethodType } from '@donation-form/core/donation';

/** A gift that is to be paid. */
export interface PaymentRequest {
  /** Ours: the processor's metadata, by which a person finds the gift there. */
  readonly reference: string;
  /**
   * What is charged, in minor units: of ISO 4217, or of fewer decimals where Stripe takes no more.
   */
  readonly total: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly frequency: GiftFrequency;
  readonly donor: { readonly name: string; readonly email: string | undefined };
  /** What a statement or a receipt of the processor says of it. */
  readonly description: string;
  /** The form's language, BCP 47. */
  readonly language: string;
  /** The processor is the one who sends the receipt. */
  readonly wantsReceipt: boolean;
  /**
   * What the payment field in the browser made of the card, works once; absent: the processor's own
   * page takes the payment, or no money moves through the form.
   */
  readonly token: string | undefined;
  /** The page of the form, where the donor comes back from a page of the processor or of a bank. */
  readonly returnUrl: string | undefined;
}

/** The names of a payment at the processor, as the journal keeps them. */
export interface PaymentIds {
  readonly paymentId: string;
  /** With a recurring gift, where the processor renews it by itself. */
  readonly subscriptionId?: string | undefined;
}

/**
 * What the processor says of a payment.
 * open: nothing has happened yet · action: the donor has to do something first · pending: accepted,
 * the money comes later ·
 * promised: it comes outside of any processor, and a person enters it · succeeded, declined,
 * canceled: final.
 */
export interface Payment extends PaymentIds {
  readonly state:
    'open' | 'action' | 'pending' | 'promised' | 'succeeded' | 'declined' | 'canceled';
  /**
   * What it takes, in the units of {@link PaymentRequest.total}; with pending, promised and succeeded,
   * where it has to be what was agreed to.
   */
  readonly total?: number | undefined;
  readonly currency?: string | undefined;
  readonly method?: PaymentMethodType | undefined;
  /** With action. */
  readonly action?: Action;
}

/**
 * Something that the processor told of a payment, and that was read back from it since. `id` is the
 * same however often it is told.
 */
export type PaymentEvent =
  /** The payment may have come to something: to be asked for. */
  | { readonly kind: 'payment'; readonly paymentId: string }
  /** @param refunded all that is paid back now. */
  | {
      readonly kind: 'refund' | 'refund-failed';
      readonly id: string;
      readonly paymentId: string;
      readonly amount: number;
      readonly refunded: number;
      readonly at: Date;
    }
  | {
      readonly kind: 'dispute-opened' | 'dispute-won' | 'dispute-lost';
      readonly id: string;
      readonly paymentId: string;
      readonly amount: number;
      readonly at: Date;
    }
  | {
      readonly kind: 'renewal';
      readonly id: string;
      readonly subscriptionId: string;
      readonly payment: Payment;
      readonly at: Date;
    }
  /**
   * What a recurring gift is now, as it was read back: of something old that is told late, the
   * state of today.
   */
  | {
      readonly kind: 'recurring';
      readonly id: string;
      readonly subscriptionId: string;
      readonly status: RecurringState;
      readonly at: Date;
    };

/** A payment that took money or is taking it, as the processor lists it. */
export interface ListedPayment {
  readonly paymentId: string;
  /**
   * Ours, where the processor keeps it with the payment itself; of a renewal it is only known by
   * {@link PaymentGateway.listEvents}.
   */
  readonly reference?: string | undefined;
  readonly at: Date;
  readonly state: 'pending' | 'succeeded';
  /** In the units of {@link PaymentRequest.total}. */
  readonly total: number;
  readonly currency: string;
  /**
   * What the processor keeps and what it pays out, in major units of the currency that it pays out;
   * absent while that is not known.
   */
  readonly cost?:
    { readonly fee: string; readonly net: string; readonly currency: string } | undefined;
  /** All that is paid back now, in the units of total. */
  readonly refunded: number;
  readonly dispute?: 'open' | 'won' | 'lost' | undefined;
}

/** Where a payment came from, and everything that webhooks tell of it, under the same names. */
export interface PaymentHistory {
  readonly reference?: string | undefined;
  readonly events: readonly PaymentEvent[];
}

/** A payment processor, as the server sees it. docs/payment-providers.md tells how to write one. */
export interface PaymentGateway {
  /**
   * Opens the payment of a gift: the same one for each reference, however often it is called. No
   * money moves; what was opened in vain comes to nothing by itself.
   * Where the gift has no token: `action`, with the page that takes the payment, or `promised`.
   */
  create(gift: PaymentRequest): Promise<Payment>;
  /**
   * Takes the money of an open payment, once, however often it is called.
   * @throws {NotChargedError} where this call took none, for certain; any other error leaves that
   *   open, and {@link status} tells.
   */
  confirm(ids: PaymentIds, gift: PaymentRequest): Promise<Payment>;
  retrieve(ids: PaymentIds): Promise<Payment>;
  /**
   * Ends a payment that has taken no money.
   * @returns what it has come to: `canceled` or `declined`, and anything else where it is too late.
   */
  cancel(ids: PaymentIds): Promise<Payment>;
  /**
   * What a webhook tells, read back from the processor.
   * @throws {InvalidSignatureError} where the processor has not signed it.
   */
  webhook?(body: string, headers: Headers): Promise<readonly PaymentEvent[]>;
  /**
   * The processor's page where a donor, who names the e-mail address, changes the card of a
   * recurring gift or ends it. It must not tell strangers whose addresses are known.
   */
  portalUrl?(): Promise<string>;
  /**
   * The payments that were made from one time until before another, each once; those that cannot be
   * ours may be left out. Absent: `donation-form reconcile` does not compare this processor.
   */
  list?(from: Date, to: Date): AsyncIterable<ListedPayment>;
  /** Goes with {@link list}. */
  listEvents?(paymentId: string): Promise<PaymentHistory>;
  /**
   * Tries, without changing anything, whether the processor would take gifts: for `donation-form
   * check`.
   * @param webhookPath where its webhooks arrive, below the endpoint's address. @throws where the
   *   processor does not answer.
   */
  check?(given: { readonly webhookPath: string }): Promise<readonly Finding[]>;
}

/** What the file of a third party's provider exports as `createGateway`. */
export type CreateGateway = (given: {
  readonly options: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}) => PaymentGateway | Promise<PaymentGateway>;

/** The processor was not reached, or refused the call: nothing was charged. */
export class NotChargedError extends Error {
  override readonly name = 'NotChargedError';
}

/** A webhook whose signature is missing, false or too old. */
export class InvalidSignatureError extends Error {
  override readonly name = 'NotSignedError';
}

import type {
  Awaiting,
  DonationFrequency,
  FailureReason,
  PaymentMethodType,
  PublicStatus,
  SubscriptionStatus,
} from '@donation-form/core/donation';
import type { PaymentAction } from '@donation-form/core/schemas';
import type { CheckResult } from '../lib/check-result.ts';

/** A donation to charge. */
export interface PaymentRequest {
  /**
   * Our reference. It is stored in the provider's metadata so that people can search for the
   * payment.
   */
  readonly reference: string;
  /**
   * Amount to charge, in minor units: those of ISO 4217, except for currencies in which Stripe
   * accepts fewer decimal places.
   */
  readonly total: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly frequency: DonationFrequency;
  readonly donor: { readonly name: string; readonly email: string | undefined };
  /** Text on the provider's statements and receipts. */
  readonly description: string;
  /** BCP 47 tag of the form's language. */
  readonly language: string;
  /** Party that sends the receipt. `processor` stands for the provider. */
  readonly receiptSender: 'platform' | 'processor' | 'none';
  /**
   * Single-use token from the payment field in the browser. Undefined if the donor pays on the
   * provider's page or without a provider.
   */
  readonly token: string | undefined;
  /** URL of the form's page, to which the provider or the bank returns the donor. */
  readonly returnUrl: string | undefined;
}

/** The provider's IDs for a payment, as stored in the database. */
export interface PaymentIds {
  readonly paymentId: string;
  /** Set for a recurring donation that the provider renews. */
  readonly subscriptionId?: string | undefined;
}

/** A payment as the payment provider reports it. */
export interface Payment extends PaymentIds {
  /**
   * `unconfirmed`: created, and nothing has happened yet; `requires_action`: the donor must act
   * first; `approved`: the donor has approved it on the provider's page, and {@link
   * PaymentGateway.chargePayment} charges it; `processing`: accepted, and the money comes later;
   * `succeeded` and `failed` are final.
   */
  readonly status: PublicStatus | 'approved';
  /**
   * Set if the status is `processing`: `bank` if the provider is waiting for a bank, or `donor` if
   * the donor pays without a provider and a person records the payment.
   */
  readonly awaiting?: Awaiting | undefined;
  /**
   * Set if the status is `failed`: `not-confirmed` if the donor canceled or did not act, or
   * `card-declined`.
   */
  readonly reason?: Extract<FailureReason, 'card-declined' | 'not-confirmed'> | undefined;
  /**
   * Amount in the units of {@link PaymentRequest.total}, to compare with the amount that the donor
   * agreed to. Required if the status is `approved`, `processing`, or `succeeded`.
   */
  readonly total?: number | undefined;
  readonly currency?: string | undefined;
  readonly method?: PaymentMethodType | undefined;
  /** With `requires_action`. */
  readonly action?: PaymentAction;
}

/**
 * A change to a payment, fetched from the provider after a webhook arrived. Every delivery of the
 * same change has the same `id`.
 */
export type PaymentEvent =
  /** The payment's status may have changed. Retrieve the payment to find out. */
  | { readonly kind: 'payment'; readonly paymentId: string }
  /** @param refunded the total refunded so far. */
  | {
      readonly kind: 'refund' | 'refund_failed';
      readonly id: string;
      readonly paymentId: string;
      readonly amount: number;
      readonly refunded: number;
      readonly at: Date;
    }
  | {
      readonly kind: 'dispute_opened' | 'dispute_won' | 'dispute_lost';
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
  /** The current status of a subscription, even if the event is old. */
  | {
      readonly kind: 'recurring';
      readonly id: string;
      readonly subscriptionId: string;
      readonly status: SubscriptionStatus;
      readonly at: Date;
    };

/** A succeeded or processing payment, from the provider's list. */
export interface ListedPayment {
  readonly paymentId: string;
  /**
   * Our reference, if the provider stores it with the payment. For renewals, use
   * {@link PaymentGateway.listEvents}.
   */
  readonly reference?: string | undefined;
  readonly at: Date;
  readonly status: 'processing' | 'succeeded';
  /** In the units of {@link PaymentRequest.total}. */
  readonly total: number;
  readonly currency: string;
  /** Fee and net payout, in major units of the payout currency. Undefined until both are known. */
  readonly cost?:
    { readonly fee: string; readonly net: string; readonly currency: string } | undefined;
  /** Total refunded so far, in the units of `total`. */
  readonly refunded: number;
  readonly dispute?: 'open' | 'won' | 'lost' | undefined;
}

/** A payment's reference and events. The events have the same IDs as in webhooks. */
export interface PaymentHistory {
  readonly reference?: string | undefined;
  readonly events: readonly PaymentEvent[];
}

/** Interface to a payment provider. To implement one, see docs/payment-providers.md. */
export interface PaymentGateway {
  /**
   * Creates a payment without charging it. Always returns the same payment for the same reference.
   * Unused payments expire on their own. If the request has no token, returns `requires_action`
   * with the URL of the provider's page, or `processing` for a pledge.
   */
  createPayment(request: PaymentRequest): Promise<Payment>;
  /**
   * Charges a payment. Calling this again does not charge it again. The request for an approved
   * payment has no token.
   * @throws {NotChargedError} if this call certainly charged nothing. After any other error, use
   *   {@link retrievePayment} to find out.
   */
  chargePayment(ids: PaymentIds, request: PaymentRequest): Promise<Payment>;
  /** Retrieves the current state of a payment. */
  retrievePayment(ids: PaymentIds): Promise<Payment>;
  /**
   * Cancels a payment that has not been charged. The server never charges it afterward.
   * @returns the `failed` payment, or the payment's current state if it is too late to cancel.
   */
  cancelPayment(ids: PaymentIds): Promise<Payment>;
  /**
   * Verifies a webhook, and fetches the objects that it names from the provider.
   * @throws {InvalidSignatureError} if the provider did not sign the webhook.
   * @throws {InvalidPayloadError} if the webhook is signed but cannot be read.
   * @throws {PaymentNotFoundError} if the provider does not have an object that the webhook names.
   */
  verifyAndFetchEvents?(body: string, headers: Headers): Promise<readonly PaymentEvent[]>;
  /**
   * Returns the URL of the provider's page for recurring donors. On that page, they enter their
   * email to change the card or to cancel. The page must not reveal which emails are known.
   */
  getPortalUrl?(): Promise<string>;
  /**
   * Yields each payment made in the interval [`from`, `to`) once. May omit payments that cannot be
   * ours. If a gateway does not implement this method, `donation-form reconcile` skips its
   * provider.
   */
  iteratePayments?(from: Date, to: Date): AsyncIterable<ListedPayment>;
  /** Lists a payment's events. Required if {@link iteratePayments} is implemented. */
  listEvents?(paymentId: string): Promise<PaymentHistory>;
  /**
   * Checks whether the provider would accept payments, without changing anything, for
   * `donation-form check`.
   * @throws if the provider is unavailable.
   */
  runChecks?(subject: PaymentCheckSubject): Promise<readonly CheckResult[]>;
}

/** Values that {@link PaymentGateway.runChecks} compares with the provider's settings. */
export interface PaymentCheckSubject {
  /**
   * Path that receives the provider's webhooks, relative to the server's URL, such as
   * `/webhooks/stripe/lanternwell`.
   */
  readonly webhookPath: string;
  /** Origins of the pages that embed the form, such as `https://www.example.org`. */
  readonly origins: readonly string[];
  /** The smallest donation of each form, in the units of {@link PaymentRequest.total}. */
  readonly minimums: readonly {
    readonly form: string;
    readonly currency: string;
    readonly minimum: number;
  }[];
}

/** The `createGateway` function that third-party provider modules export. */
export type CreateGateway = (configuration: {
  readonly options: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}) => PaymentGateway | Promise<PaymentGateway>;

/** What the donor can correct before trying again. */
export type RefusalReason = Extract<
  FailureReason,
  'email-invalid' | 'amount-too-small' | 'amount-too-large'
>;

/**
 * Nothing was charged, because the provider was unreachable or rejected the call. If the donor can
 * correct a mistake and try again, `reason` names it.
 */
export class NotChargedError extends Error {
  override readonly name = 'NotChargedError';
  readonly reason: RefusalReason | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly reason?: RefusalReason }) {
    super(message, options);
    this.reason = options?.reason;
  }
}

/** The signature of a webhook is missing, invalid, or too old. */
export class InvalidSignatureError extends Error {
  override readonly name = 'InvalidSignatureError';
}

/** A webhook is signed, but its body cannot be read. */
export class InvalidPayloadError extends Error {
  override readonly name = 'InvalidPayloadError';
}

/** The payment provider does not know a payment, subscription, or other object. */
export class PaymentNotFoundError extends Error {
  override readonly name = 'PaymentNotFoundError';
}

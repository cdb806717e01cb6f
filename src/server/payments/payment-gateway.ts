import type {
  DonationFrequency,
  FailureReason,
  PaymentMethodType,
  PublicStatus,
  SubscriptionStatus,
} from '@donation-form/core/donation';
import type { PaymentAction } from '@donation-form/core/schemas';
import type { CheckResult } from '../lib/check-result.ts';
import type { PlatformGift } from '../platform/platform-adapter.ts';

/** A donation to charge. */
export interface PaymentRequest {
  /** Our reference for the donation, which people can search for in the payment's metadata. */
  readonly reference: string;
  /**
   * Amount to charge, in ISO 4217 minor units, or in larger units for currencies in which Stripe
   * accepts fewer decimal places.
   */
  readonly total: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly frequency: DonationFrequency;
  readonly donor: { readonly name: string; readonly email: string | undefined };
  /** Text for the donor's statement and the provider's receipt. */
  readonly description: string;
  /** BCP 47 tag of the form's language. */
  readonly language: string;
  /** Party that sends the receipt. `processor` means the payment provider. */
  readonly receiptSender: 'us' | 'platform' | 'processor' | 'none';
  /** Single-use token from the payment field. Undefined if the donor pays elsewhere. */
  readonly token: string | undefined;
  /** Page to which the provider or the bank returns the donor. */
  readonly returnUrl: string | undefined;
  /** For a provider that records the gift with the charge. */
  readonly createPlatformGift?: (() => PlatformGift) | undefined;
}

/** The provider's IDs for a payment, as stored in the database. */
export interface PaymentIds {
  readonly paymentId: string;
  /** Set for a recurring donation that the provider renews. */
  readonly subscriptionId?: string | undefined;
}

/** A payment as reported by the payment provider. */
export interface Payment extends PaymentIds {
  /**
   * - `unconfirmed`: created, but neither confirmed nor charged yet.
   * - `requires_action`: waiting for the donor to act.
   * - `approved`: approved by the donor on the provider's page, and ready for
   *   {@link PaymentGateway.chargePayment}.
   * - `processing`: accepted, but the money arrives later.
   * - `succeeded` and `failed`: final.
   */
  readonly status: PublicStatus | 'approved';
  /**
   * Set if the status is `failed`. `card-declined`: the payment was declined. `not-confirmed`: the
   * donor canceled or did not act.
   */
  readonly reason?: Extract<FailureReason, 'card-declined' | 'not-confirmed'> | undefined;
  /**
   * In the units of {@link PaymentRequest.total}, to compare with the amount that the donor agreed
   * to. Required if the status is `approved`, `processing`, or `succeeded`.
   */
  readonly total?: number | undefined;
  readonly currency?: string | undefined;
  readonly method?: PaymentMethodType | undefined;
  /** Set if the status is `requires_action`. */
  readonly action?: PaymentAction | undefined;
}

/** The `id` is the same in every report of a change, except for `subscription` events. */
export type PaymentEvent =
  /** The payment's status may have changed. Retrieve the payment to get it. */
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
      /** Our reference for the first donation, if the provider stores it. */
      readonly reference?: string | undefined;
      readonly payment: Payment;
      readonly at: Date;
    }
  /** The current status of a subscription, even if the event is old. */
  | {
      readonly kind: 'subscription';
      readonly id: string;
      readonly subscriptionId: string;
      readonly status: SubscriptionStatus;
      readonly at: Date;
    };

/** A succeeded or processing payment from the provider's list. */
export interface ListedPayment {
  readonly paymentId: string;
  /** Our reference, if stored. For renewals, use {@link PaymentGateway.listEvents}. */
  readonly reference?: string | undefined;
  readonly at: Date;
  readonly status: 'processing' | 'succeeded';
  /** In the units of {@link PaymentRequest.total}. */
  readonly total: number;
  readonly currency: string;
  /** In major units of the settlement currency. Undefined until both are known. */
  readonly cost?:
    { readonly fee: string; readonly net: string; readonly currency: string } | undefined;
  /** Total refunded so far, in the units of `total`. */
  readonly refunded: number;
  readonly dispute?: 'open' | 'won' | 'lost' | undefined;
}

/** Information for {@link PaymentGateway.verifyAndFetchEvents}. */
export interface WebhookContext {
  /** IPv4 address or IPv6 /48 network of the sender, if known. */
  readonly client: string | undefined;
  /** Values that survive restarts. */
  readonly store: {
    readonly get: (name: string) => Promise<string | undefined>;
    readonly set: (name: string, value: string) => Promise<void>;
  };
}

/** A payment's reference and events, with the IDs that {@link PaymentEvent} describes. */
export interface PaymentHistory {
  readonly reference?: string | undefined;
  readonly events: readonly PaymentEvent[];
}

/** Interface to a payment provider. To implement one, see docs/reference/payment-providers.md. */
export interface PaymentGateway {
  /**
   * True if the provider charges in one call that can be neither repeated nor canceled. The server
   * then calls {@link chargePayment} only once per donation. After an unclear response, it only
   * retrieves the payment, and after 80 seconds, a person must decide. {@link createPayment} must
   * return a new ID for every call, and {@link retrievePayment} must return `unconfirmed` if it
   * finds no payment.
   */
  readonly chargesInOneCall?: true;
  /**
   * Creates a payment without charging it. Returns the same payment for the same reference, unless
   * {@link chargesInOneCall} is set. Unused payments expire on their own. Without a token, returns
   * `requires_action` with the URL of the provider's page.
   */
  createPayment(request: PaymentRequest): Promise<Payment>;
  /**
   * Charges a payment. Repeated calls do not charge it again. For an approved payment, the request
   * has no token.
   * @throws {NotChargedError} if it is certain that this call charged nothing. After any other
   *   error, call {@link retrievePayment} to get the outcome.
   */
  chargePayment(ids: PaymentIds, request: PaymentRequest): Promise<Payment>;
  /** Retrieves the current state of a payment, and changes nothing. */
  retrievePayment(ids: PaymentIds): Promise<Payment>;
  /**
   * Cancels a payment that has not been charged. The server never charges a canceled payment. Also
   * called for failed payments, so that neither the donor nor the provider can charge them again.
   * @returns the `failed` payment, or the payment's current state if it is too late to cancel.
   * @throws {NotChargedError} if the payment has failed and can never be charged again.
   */
  cancelPayment(ids: PaymentIds): Promise<Payment>;
  /**
   * Verifies a webhook, and fetches from the provider the objects that the webhook refers to.
   * @throws {InvalidSignatureError} if the provider did not sign the webhook.
   * @throws {UnverifiedWebhookError} if the gateway cannot verify the webhook at the moment.
   * @throws {InvalidPayloadError} if the webhook is signed but its body is invalid.
   * @throws {PaymentNotFoundError} if the provider has no record of an object that the webhook
   *   refers to.
   */
  verifyAndFetchEvents?(
    body: string,
    headers: Headers,
    context?: WebhookContext,
  ): Promise<readonly PaymentEvent[]>;
  /**
   * Returns the URL of the page on which donors change their card or cancel, after entering their
   * email. The page must not reveal which emails belong to donors.
   */
  getPortalUrl?(): Promise<string>;
  /**
   * Returns a URL in the provider's dashboard, or `undefined` if the dashboard has no page for the
   * ID.
   */
  getDashboardUrl?(id: string): string | undefined;
  /**
   * Yields each payment made in the interval [`from`, `to`) exactly once. May omit payments that we
   * did not create. Without this method, `donation-form reconcile` skips the provider.
   */
  iteratePayments?(from: Date, to: Date): AsyncIterable<ListedPayment>;
  /** Lists a payment's events. Required if {@link iteratePayments} is implemented. */
  listEvents?(paymentId: string): Promise<PaymentHistory>;
  /**
   * Runs the provider's checks for `donation-form check`, which change nothing and test whether the
   * provider would accept payments.
   * @throws if the provider is unavailable.
   */
  runChecks?(subject: PaymentCheckSubject): Promise<readonly CheckResult[]>;
}

/** Values that {@link PaymentGateway.runChecks} compares with the provider's settings. */
export interface PaymentCheckSubject {
  /** Path of the webhooks on this server, such as `/webhooks/stripe/lanternwell`. */
  readonly webhookPath: string;
  /** Origins of the pages that embed the form, such as `https://www.example.org`. */
  readonly origins: readonly string[];
  /** Minimum donation for each form and currency, in the units of {@link PaymentRequest.total}. */
  readonly minimums: readonly {
    readonly form: string;
    readonly currency: string;
    readonly minimum: number;
  }[];
}

/** Type of the `createGateway` function that a third-party provider module exports. */
export type CreateGateway = (configuration: {
  readonly options: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}) => PaymentGateway | Promise<PaymentGateway>;

/** Mistakes that the donor can correct. */
export type RefusalReason = Extract<
  FailureReason,
  'email-invalid' | 'amount-too-small' | 'amount-too-large'
>;

/** Nothing was charged, because the provider was unreachable or rejected the call. */
export class NotChargedError extends Error {
  override readonly name = 'NotChargedError';
  readonly reason: RefusalReason | undefined;
  /** True if the token is unknown or already used, so the donor needs a new one. */
  readonly isTokenUnusable: boolean;

  constructor(
    message: string,
    options?: ErrorOptions & { reason?: RefusalReason; isTokenUnusable?: boolean },
  ) {
    super(message, options);
    this.reason = options?.reason;
    this.isTokenUnusable = options?.isTokenUnusable ?? false;
  }
}

/** A payment gateway returned an invalid payment, or a payment that belongs to another donation. */
export class InvalidPaymentError extends Error {
  override readonly name = 'InvalidPaymentError';
}

/** A webhook's signature is missing, invalid, or too old. */
export class InvalidSignatureError extends Error {
  override readonly name = 'InvalidSignatureError';
}

/** The gateway cannot verify a webhook at the moment. The sender must send it again later. */
export class UnverifiedWebhookError extends Error {
  override readonly name = 'UnverifiedWebhookError';
}

/** A webhook has a valid signature but an invalid body. */
export class InvalidPayloadError extends Error {
  override readonly name = 'InvalidPayloadError';
}

/** The payment provider does not have the requested payment, subscription, or other object. */
export class PaymentNotFoundError extends Error {
  override readonly name = 'PaymentNotFoundError';
}

import type { DonationRequest } from '@donation-form/core/schemas';
import type { PaymentMethodType } from '@donation-form/core/donation';
import type {
  GiftStatus,
  PaymentProviderType,
  RecurringGiftStatus,
} from '@donation-form/platform-clients/fundraising';
import type { ChosenProject, OutboxEntryKind } from '../database/schema.ts';

/** A donation, pledge, or renewal, as sent to the fundraising platform. */
export interface PlatformGift {
  readonly reference: string;
  /** For a renewal, the reference of the first donation. */
  readonly parent: string | undefined;
  /** The payment provider's ID for the payment. */
  readonly paymentId: string;
  /** Name of the payment provider, such as `paypal`. */
  readonly provider: string;
  /** Payment method. Undefined if the donor pays outside the form. */
  readonly paymentMethod?: PaymentMethodType;
  /** The platform's type for the payment provider, if configured. */
  readonly paymentProviderType?: PaymentProviderType;
  /** Status of the gift, which is pending if the money arrives later. */
  readonly giftStatus: GiftStatus;
  /** Status of a recurring donation that the payment provider renews. */
  readonly recurringGiftStatus?: RecurringGiftStatus;
  /** Party that sends the receipt. */
  readonly receiptSender: 'platform' | 'processor' | 'none';
  readonly givenAt: Date;
  readonly gift: DonationRequest['gift'];
  readonly donor: DonationRequest['donor'];
  /** Consents, as shown to the donor, and the donor's choices at `givenAt`. */
  readonly consents: NonNullable<DonationRequest['consents']>;
  readonly customFields: NonNullable<DonationRequest['customFields']>;
  readonly tracking: NonNullable<DonationRequest['tracking']>;
  readonly projects: readonly (ChosenProject & { readonly amount: string })[];
  /** Decimal string in major units. */
  readonly total: string;
  /**
   * Amount that the donor adds to cover transaction fees, included in `total`. Decimal string in
   * major units.
   */
  readonly coveredFees: string;
}

/** An update to a gift on the platform. */
export interface GiftChange {
  readonly kind: Exclude<OutboxEntryKind, 'donation' | 'renewal'>;
  /** Reference of the donation or renewal. */
  readonly reference: string;
  /** For a renewal, the reference of the first donation. */
  readonly parent?: string;
  /** The platform's ID for the gift. */
  readonly platformId: string;
  readonly at: Date;
  /** The gift's new status, if the status changes. */
  readonly giftStatus?: GiftStatus;
  readonly recurringGiftStatus?: RecurringGiftStatus;
  /** Amount of a refund or dispute, as a decimal string in major units. */
  readonly amount?: string;
  /** Total refunded so far, as a decimal string in major units. */
  readonly refunded?: string;
  readonly currency: string;
}

/** Interface to a fundraising platform. */
export interface PlatformAdapter {
  /** If true, no platform is notified, because the local database is the system of record. */
  readonly isNone?: true;
  /**
   * True if {@link createGift} never creates a second gift for a reference. The server can then
   * call the method again after any error.
   */
  readonly isCreateIdempotent?: true;
  /**
   * True if the platform does not support pending gifts. The server then creates a gift only after
   * the gift's money has arrived. Requires {@link isCreateIdempotent}.
   */
  readonly acceptsOnlySettledGifts?: true;
  /**
   * Creates a gift.
   * @returns the platform's ID for the gift, or `undefined` if the platform assigns it later.
   * @throws {GiftNotCreatedError} if the gift was certainly not created. After any other error, the
   *   gift may have been created.
   */
  createGift(gift: PlatformGift): Promise<string | undefined>;
  /**
   * Finds the platform's ID for the gift that has the given reference. Omit this method if the
   * platform has no lookup.
   * @returns `undefined` if the platform has no such gift.
   */
  findGiftId?(reference: string): Promise<string | undefined>;
  /**
   * Time before {@link findGiftId} certainly finds a new gift, in milliseconds. Until then, the
   * server never creates the gift again. Default: 20 seconds.
   */
  readonly findDelay?: number | undefined;
  /**
   * True if the platform can refund only whole gifts. The server then lists partial refunds for
   * manual entry.
   */
  readonly refundsOnlyWholeGifts?: boolean;
  /**
   * Updates a gift. The server may repeat the call. If this method is omitted, the server lists
   * updates for manual entry.
   * @throws {GiftNotCreatedError} if the platform certainly did not record the update.
   */
  updateGift?(change: GiftChange): Promise<void>;
  /**
   * Yields the gifts added in a period, including duplicates. Omit this method if the platform
   * cannot list gifts.
   */
  iterateGifts?(from: Date, to: Date): AsyncIterable<ListedPlatformGift>;
}

/** Platform methods that reports use. */
export type PlatformReader = Pick<
  PlatformAdapter,
  'isNone' | 'findGiftId' | 'findDelay' | 'iterateGifts'
>;

/** A gift from the platform's list. */
export interface ListedPlatformGift {
  readonly platformId: string;
  readonly reference: string;
  /** Time at which the platform added the gift. */
  readonly at?: Date | undefined;
  /** Decimal string in major units. */
  readonly total?: string | undefined;
  readonly currency?: string | undefined;
  readonly status?: GiftStatus | undefined;
}

/** Details of a {@link GiftNotCreatedError}. */
export interface GiftRejection {
  readonly cause: unknown;
  /** True if the platform rejected this gift but may accept others. */
  readonly isRejected?: boolean;
  /** True if the platform rejected our API key, so it accepts no gifts. */
  readonly isKeyRejected?: boolean;
  /** True if the hourly quota is exhausted. */
  readonly isLimited?: boolean;
  /** True if the call was not made, because we are backing off until `retryAt`. */
  readonly isDeferred?: boolean;
  /** Earliest time at which the next call may be made. */
  readonly retryAt?: Date | undefined;
}

/** The platform certainly did not create the gift, so the server can safely send it again. */
export class GiftNotCreatedError extends Error {
  override readonly name = 'GiftNotCreatedError';
  readonly isRejected: boolean;
  readonly isKeyRejected: boolean;
  readonly isLimited: boolean;
  readonly isDeferred: boolean;
  readonly retryAt: Date | undefined;

  constructor(
    message: string,
    {
      cause,
      isRejected = false,
      isKeyRejected = false,
      isLimited = false,
      isDeferred = false,
      retryAt,
    }: GiftRejection,
  ) {
    super(message, { cause });
    this.isRejected = isRejected;
    this.isKeyRejected = isKeyRejected;
    this.isLimited = isLimited;
    this.isDeferred = isDeferred;
    this.retryAt = retryAt;
  }
}

import type { PaymentMethodType } from '@donation-form/core/donation';
import type { DonationRequest } from '@donation-form/core/schemas';
import type {
  GiftStatus,
  PaymentProviderType,
  RecurringGiftStatus,
} from '@donation-form/platform-clients/fundraising';
import type { ChosenProject, OutboxEntryKind } from '../database/schema.ts';

export interface PlatformGift {
  readonly reference: string;
  /** For a renewal, the reference of the first donation. */
  readonly parent: string | undefined;
  readonly paymentId: string;
  /** Name of the payment provider, such as `paypal`. */
  readonly provider: string;
  /** Payment method. Undefined if the donor pays outside the form. */
  readonly paymentMethod?: PaymentMethodType;
  readonly paymentProviderType?: PaymentProviderType;
  readonly giftStatus: GiftStatus;
  /** Status of a recurring donation that the payment provider renews. */
  readonly recurringGiftStatus?: RecurringGiftStatus;
  readonly receiptSender: 'us' | 'platform' | 'processor' | 'none';
  readonly givenAt: Date;
  readonly gift: DonationRequest['gift'];
  readonly donor: DonationRequest['donor'];
  /** Consents, as shown to the donor, with the choices at `givenAt`. */
  readonly consents: NonNullable<DonationRequest['consents']>;
  readonly customFields: NonNullable<DonationRequest['customFields']>;
  readonly tracking: NonNullable<DonationRequest['tracking']>;
  readonly projects: readonly (ChosenProject & { readonly amount: string })[];
  /** Decimal string in major units. */
  readonly total: string;
  /** Included in `total`. Decimal string in major units. */
  readonly coveredFees: string;
}

export interface GiftChange {
  readonly kind: Exclude<OutboxEntryKind, 'donation' | 'renewal'>;
  readonly reference: string;
  /** For a renewal, the reference of the first donation. */
  readonly parent?: string;
  readonly platformId: string;
  readonly at: Date;
  readonly giftStatus?: GiftStatus;
  readonly recurringGiftStatus?: RecurringGiftStatus;
  /** Refunded or disputed amount, as a decimal string in major units. */
  readonly amount?: string;
  /** Decimal string in major units. */
  readonly refunded?: string;
  readonly currency: string;
}

export interface PlatformAdapter {
  /** True if no platform is notified, because the local database is the system of record. */
  readonly isNone?: true;
  /**
   * True if {@link createGift} never creates a second gift for a reference, so that it can be called
   * again after any error.
   */
  readonly isCreateIdempotent?: true;
  /** True if gifts must be created after their money has arrived. Requires `isCreateIdempotent`. */
  readonly acceptsOnlySettledGifts?: true;
  /**
   * Creates a gift. Returns the platform's ID, or `undefined` if the platform assigns it later.
   * @throws {GiftNotCreatedError} if the gift was certainly not created. After any other error, the
   *   gift may have been created.
   */
  createGift(gift: PlatformGift): Promise<string | undefined>;
  /**
   * Finds the ID of the gift that has the given reference. Returns `undefined` if the platform has
   * no such gift. Omit this method if the platform has no lookup.
   */
  findGiftId?(reference: string): Promise<string | undefined>;
  /**
   * Time before {@link findGiftId} certainly finds a new gift, in milliseconds. Until then, the
   * server never creates the gift again. Default: 20 seconds.
   */
  readonly findDelay?: number | undefined;
  /** True if only whole gifts can be refunded. Partial refunds are then listed for manual entry. */
  readonly refundsOnlyWholeGifts?: boolean;
  /**
   * Updates a gift. May be repeated. If omitted, the server lists updates for manual entry.
   * @throws {GiftNotCreatedError} if the platform certainly did not record the update.
   */
  updateGift?(change: GiftChange): Promise<void>;
  /** Yields the gifts added in a period, including duplicates. Optional. */
  iterateGifts?(from: Date, to: Date): AsyncIterable<ListedPlatformGift>;
}

export type PlatformReader = Pick<
  PlatformAdapter,
  'isNone' | 'findGiftId' | 'findDelay' | 'iterateGifts'
>;

export interface ListedPlatformGift {
  readonly platformId: string;
  readonly reference: string;
  readonly at?: Date | undefined;
  /** Decimal string in major units. */
  readonly total?: string | undefined;
  readonly currency?: string | undefined;
  readonly status?: GiftStatus | undefined;
}

export interface GiftRejection {
  readonly cause: unknown;
  /** True if the platform rejected this gift but may accept others. */
  readonly isRejected?: boolean;
  /** True if the platform rejected our API key, so it accepts no gifts. */
  readonly isKeyRejected?: boolean;
  readonly isLimited?: boolean;
  /** True if the call was not made, because we are backing off until `retryAt`. */
  readonly isDeferred?: boolean;
  readonly retryAt?: Date | undefined;
}

/** The platform certainly did not create the gift, so the server can safely send it again. */
export class GiftNotCreatedError extends Error {
  override readonly name = 'GiftNotCreatedError';
  readonly rejection: Omit<GiftRejection, 'cause'>;

  constructor(message: string, { cause, ...rejection }: GiftRejection) {
    super(message, { cause });
    this.rejection = rejection;
  }
}

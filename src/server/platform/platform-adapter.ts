import type { DonationRequest } from '@donation-form/core/schemas';
import type { PaymentMethodType } from '@donation-form/core/donation';
import type {
  GiftStatus,
  PaymentProviderType,
  RecurringGiftStatus,
} from '@donation-form/platform-clients/fundraising';
import type { ChosenProject, EventKind } from '../database/schema.ts';

/**
 * A gift that was charged or promised, or the renewal of one, as it is handed to the fundraising
 * platform.
 */
export interface PlatformGift {
  readonly reference: string;
  /** Of a renewal: the reference of the first gift. */
  readonly parent: string | undefined;
  /** The processor's id. */
  readonly paymentId: string;
  /** Absent where no money moved through the form. */
  readonly paymentMethod?: PaymentMethodType;
  /** What the platform calls the processor; absent where the configuration does not say. */
  readonly paymentProviderType?: PaymentProviderType;
  /** Pending: the money comes later. */
  readonly giftStatus: GiftStatus;
  /** Of a recurring gift that the processor renews. */
  readonly recurringGiftStatus?: RecurringGiftStatus;
  /** Who sends the receipt. */
  readonly receipt: 'platform' | 'processor' | 'none';
  readonly givenAt: Date;
  readonly gift: DonationRequest['gift'];
  readonly donor: DonationRequest['donor'];
  /**
   * What the donor was asked to agree to, in the words as shown, and whether they did, at
   * `givenAt`.
   */
  readonly consents: NonNullable<DonationRequest['consents']>;
  readonly customFields: NonNullable<DonationRequest['customFields']>;
  readonly tracking: NonNullable<DonationRequest['tracking']>;
  readonly projects: readonly (ChosenProject & { readonly amount: string })[];
  /** Major units, decimal strings. */
  readonly total: string;
  readonly costs: string;
}

/** What became of a gift that the platform knows. */
export interface GiftChange {
  readonly kind: Exclude<EventKind, 'gift' | 'renewal'>;
  /** Of the gift or renewal that it happened to. */
  readonly reference: string;
  /** Of a renewal: the reference of the first gift. */
  readonly parent?: string;
  /** The platform's id of it. */
  readonly platformId: number;
  readonly at: Date;
  /** What the gift is from now on, where that changes. */
  readonly giftStatus?: GiftStatus;
  readonly recurringGiftStatus?: RecurringGiftStatus;
  /**
   * Of a refund or dispute: major units, decimal strings; refunded is all that was paid back so
   * far.
   */
  readonly amount?: string;
  readonly refunded?: string;
  readonly currency: string;
}

/** Where gifts are kept in the end. */
export interface PlatformAdapter {
  /** Nothing is told to any platform: the journal is the record. */
  readonly isNone?: true;
  /**
   * Records a gift.
   * @returns the platform's id of it.
   * @throws {GiftRejectedError} where it certainly was not recorded; any other error leaves that
   *   open.
   */
  createGift(gift: PlatformGift): Promise<number>;
  /**
   * The platform's id of a gift that was recorded under our reference. Absent where the platform
   * has no such look-up.
   */
  findGift?(reference: string): Promise<number | undefined>;
  /**
   * Tells what became of a gift. It sets and never adds, so it may be called again. Absent where
   * the platform has no such call: changes are then listed for entry by hand.
   * @throws {GiftRejectedError} as {@link createGift} does.
   */
  updateGift?(change: GiftChange): Promise<void>;
  /**
   * The gifts that the platform added in a time, each once or as often as it has it. Absent where
   * the platform has no such call.
   */
  listGifts?(from: Date, to: Date): AsyncIterable<ListedPlatformGift>;
}

/** What a report asks a platform. */
export type PlatformReader = Pick<PlatformAdapter, 'isNone' | 'findGift' | 'listGifts'>;

/** A gift as the platform lists it. */
export interface ListedPlatformGift {
  readonly platformId: number;
  readonly reference: string;
  /** When the platform added it. */
  readonly at?: Date | undefined;
  /** Major units. */
  readonly total?: string | undefined;
  readonly currency?: string | undefined;
  readonly status?: GiftStatus | undefined;
}

export interface GiftRejection {
  readonly cause: unknown;
  /** The platform refused this gift; others may pass. Otherwise it takes none now. */
  readonly isRejected?: boolean;
  /** The platform refused our key, and so every gift. */
  readonly isKeyRefused?: boolean;
  /** The calls of this hour are used up. */
  readonly isLimited?: boolean;
  /** The call was not made: the platform is left alone until `retryAt`. */
  readonly isDeferred?: boolean;
  /** Nothing should be sent before. */
  readonly retryAt?: Date | undefined;
}

/** The gift was not recorded, for certain: it may be sent again. */
export class GiftRejectedError extends Error {
  override readonly name = 'NotRecordedError';
  readonly isRejected: boolean;
  readonly isKeyRefused: boolean;
  readonly isLimited: boolean;
  readonly isDeferred: boolean;
  readonly retryAt: Date | undefined;

  constructor(
    message: string,
    {
      cause,
      isRejected: isOwnTrouble = false,
      isKeyRefused = false,
      isLimited = false,
      isDeferred: isHeldBack = false,
      retryAt,
    }: GiftRejection,
  ) {
    super(message, { cause });
    this.isRejected = isOwnTrouble;
    this.isKeyRefused = isKeyRefused;
    this.isLimited = isLimited;
    this.isDeferred = isHeldBack;
    this.retryAt = retryAt;
  }
}

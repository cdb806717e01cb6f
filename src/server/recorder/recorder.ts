import type { DonationRequest } from '../../contract/donation-request.ts';
import type { ProjectOffer } from '../../contract/form-definition.ts';
import type { PaymentMethodType } from '../../model/payment.ts';

/** A project that a gift or a part of it is for, by the name that the donor saw. */
export type ChosenProject = Pick<ProjectOffer, 'id' | 'code' | 'name'>;

/** A charged gift, as it is handed to the fundraising platform. */
export interface RecordableGift {
  readonly reference: string;
  /** The processor's id. */
  readonly paymentId: string;
  readonly paymentMethod: PaymentMethodType;
  readonly givenAt: Date;
  readonly gift: DonationRequest['gift'];
  readonly donor: DonationRequest['donor'];
  /** What the donor was asked to agree to, in the words as shown, and whether they did, at `givenAt`. */
  readonly consents: NonNullable<DonationRequest['consents']>;
  readonly customFields: NonNullable<DonationRequest['customFields']>;
  readonly tracking: NonNullable<DonationRequest['tracking']>;
  readonly projects: readonly (ChosenProject & { readonly amount: string })[];
  /** Major units, decimal strings. */
  readonly total: string;
  readonly costs: string;
}

/** Where gifts are kept in the end. */
export interface GiftRecorder {
  /**
   * Records a gift.
   * @returns the platform's id of it.
   * @throws {NotRecordedError} where it certainly was not recorded; any other error leaves that open.
   */
  record(gift: RecordableGift): Promise<number>;
  /** The platform's id of a gift that was recorded under our reference. Absent where the platform has no such look-up. */
  find?(reference: string): Promise<number | undefined>;
}

export interface NotRecorded {
  readonly cause: unknown;
  /** The platform refused this gift; others may pass. Otherwise it takes none now. */
  readonly isOwnTrouble?: boolean;
  /** The calls of this hour are used up. */
  readonly isLimited?: boolean;
  /** Nothing should be sent before. */
  readonly retryAt?: Date | undefined;
}

/** The gift was not recorded, for certain: it may be sent again. */
export class NotRecordedError extends Error {
  override readonly name = 'NotRecordedError';
  readonly isOwnTrouble: boolean;
  readonly isLimited: boolean;
  readonly retryAt: Date | undefined;

  constructor(message: string, { cause, isOwnTrouble = false, isLimited = false, retryAt }: NotRecorded) {
    super(message, { cause });
    this.isOwnTrouble = isOwnTrouble;
    this.isLimited = isLimited;
    this.retryAt = retryAt;
  }
}

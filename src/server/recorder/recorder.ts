import type { DonationRequest } from '../../contract/donation-request.ts';
import type { ProjectOffer } from '../../contract/form-definition.ts';

/** A charged gift, as it is handed to the fundraising platform. */
export interface RecordableGift {
  readonly reference: string;
  /** The processor's id. */
  readonly paymentId: string;
  readonly givenAt: Date;
  readonly gift: DonationRequest['gift'];
  readonly donor: DonationRequest['donor'];
  readonly projects: readonly (ProjectOffer & { readonly amount: string })[];
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

/** The gift was not recorded, for certain: it may be sent again. */
export class NotRecordedError extends Error {
  override readonly name = 'NotRecordedError';
  /** Nothing should be sent before. */
  readonly retryAt: Date | undefined;

  constructor(message: string, { cause, retryAt }: { cause?: unknown; retryAt?: Date | undefined } = {}) {
    super(message, { cause });
    this.retryAt = retryAt;
  }
}

import type { DonateResponse, DonationOutcome } from '@donation-form/core/schemas';
import { FormEvent } from './form-event.ts';
import type { DisplayedGift } from './submission-events.ts';

/** A submitted donation. Amounts are in minor units. */
export type SubmittedGift = DonationOutcome['gift'] & Pick<DisplayedGift, 'decimals'>;

/** An event about an accepted donation. */
class SubmittedGiftEvent extends FormEvent {
  /** Donation reference, which also appears on the receipt. */
  readonly reference: string;
  /** True if the form is in test mode, in which no money moves. */
  readonly isTest: boolean;
  readonly #gift: SubmittedGift;

  constructor(type: string, reference: string, gift: SubmittedGift, isTest: boolean) {
    super(type);
    this.reference = reference;
    this.#gift = gift;
    this.isTest = isTest;
  }

  /** Returns a new copy on each access, because a listener can modify the returned object. */
  get gift(): SubmittedGift {
    return { ...this.#gift };
  }
}

/**
 * Fires once for each donation that succeeds or has an accepted bank debit, before the page's
 * `onSuccess` callback. A bank debit also fires `donation-form-processing`.
 */
export class DonationFormSuccessEvent extends SubmittedGiftEvent {
  static readonly type = 'donation-form-success';
  readonly #response: DonateResponse;

  constructor(reference: string, gift: SubmittedGift, response: DonateResponse, isTest: boolean) {
    super(DonationFormSuccessEvent.type, reference, gift, isTest);
    this.#response = response;
  }

  /** Returns a new copy on each access, because a listener can modify the returned object. */
  get response(): DonateResponse {
    return structuredClone(this.#response);
  }
}

/**
 * Fires once for each accepted donation with a payment that is still processing: a bank debit, or a
 * bank transfer or check that the donor promised. For a bank debit, the form also calls
 * `onSuccess`.
 */
export class DonationFormProcessingEvent extends SubmittedGiftEvent {
  static readonly type = 'donation-form-processing';
  /** Who must act next: `bank` for a bank debit, or `donor` for a promised transfer or check. */
  readonly awaiting: 'bank' | 'donor';

  constructor(
    reference: string,
    gift: SubmittedGift,
    isTest: boolean,
    awaiting: 'bank' | 'donor' = 'bank',
  ) {
    super(DonationFormProcessingEvent.type, reference, gift, isTest);
    this.awaiting = awaiting;
  }
}

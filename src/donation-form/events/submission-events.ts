import type { DonationFrequency } from '@donation-form/core/donation';
import type { DonateResponse, DonationOutcome } from '@donation-form/core/schemas';
import { FormEvent } from './form-event.ts';

/** The displayed donation, in minor units. Amounts are absent until the donor has chosen one. */
export interface DisplayedGift {
  readonly amount?: number;
  readonly coveredFees?: number;
  readonly total?: number;
  /** ISO 4217. */
  readonly currency: string;
  /** The currency's number of decimal places. */
  readonly decimals: number;
  readonly frequency: DonationFrequency;
  /** Absent if the donation is split between projects. */
  readonly projectId?: string;
}

/** A submitted donation. Amounts are in minor units. */
export type SubmittedGift = DonationOutcome['gift'] & Pick<DisplayedGift, 'decimals'>;

/** An event about the displayed donation, without the donor's personal data. */
class DisplayedGiftEvent extends FormEvent {
  readonly gift: DisplayedGift;
  /** True if the form is in test mode, in which no money moves. */
  readonly isTest: boolean;

  constructor(type: string, gift: DisplayedGift, isTest: boolean, cancelable = false) {
    super(type, cancelable);
    this.gift = gift;
    this.isTest = isTest;
  }
}

/** Fires once for each form, when it is ready. `gift` is the preselected donation. */
export class DonationFormReadyEvent extends DisplayedGiftEvent {
  static readonly type = 'donation-form-ready';
  constructor(gift: DisplayedGift, isTest: boolean) {
    super(DonationFormReadyEvent.type, gift, isTest);
  }
}

/** Fires when the donor or a setting changes the donation. */
export class DonationFormChangeEvent extends DisplayedGiftEvent {
  static readonly type = 'donation-form-change';
  constructor(gift: DisplayedGift, isTest: boolean) {
    super(DonationFormChangeEvent.type, gift, isTest);
  }
}

/** Fires once for each form, when the donor starts entering their details. */
export class DonationFormDonorStartEvent extends DisplayedGiftEvent {
  static readonly type = 'donation-form-donor-start';
  constructor(gift: DisplayedGift, isTest: boolean) {
    super(DonationFormDonorStartEvent.type, gift, isTest);
  }
}

/** Fires when the donor submits a valid form. Cancel the event to stop the submission. */
export class DonationFormSubmitEvent extends DisplayedGiftEvent {
  static readonly type = 'donation-form-submit';
  constructor(gift: DisplayedGift, isTest: boolean) {
    super(DonationFormSubmitEvent.type, gift, isTest, true);
  }
}

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

import type { DonationFrequency } from '@donation-form/core/donation';
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

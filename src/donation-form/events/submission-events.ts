import type { DonateResponse, DonationOutcome } from '@donation-form/core/schemas';
import type { DonationFrequency } from '@donation-form/core/donation';

/**
 * The donation as the form shows it. Amounts are in minor units, and absent while the form has no
 * valid amount.
 */
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
class DisplayedGiftEvent extends Event {
  readonly gift: DisplayedGift;
  /** True if the form is in test mode and charges no money. */
  readonly isTest: boolean;

  constructor(type: string, gift: DisplayedGift, isTest: boolean, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
    this.gift = gift;
    this.isTest = isTest;
  }
}

/** The form can take a donation; `gift` is the suggested one. Fires once for each form. */
export class DonationFormReadyEvent extends DisplayedGiftEvent {
  static readonly type = 'donation-form-ready';
  constructor(gift: DisplayedGift, isTest: boolean) {
    super(DonationFormReadyEvent.type, gift, isTest);
  }
}

/** The donor or a setting changed the donation. */
export class DonationFormChangeEvent extends DisplayedGiftEvent {
  static readonly type = 'donation-form-change';
  constructor(gift: DisplayedGift, isTest: boolean) {
    super(DonationFormChangeEvent.type, gift, isTest);
  }
}

/** The donor started entering their details. Fires once for each form. */
export class DonationFormDonorStartEvent extends DisplayedGiftEvent {
  static readonly type = 'donation-form-donor-start';
  constructor(gift: DisplayedGift, isTest: boolean) {
    super(DonationFormDonorStartEvent.type, gift, isTest);
  }
}

/** The donor submitted a valid form. Cancel it to send nothing. */
export class DonationFormSubmitEvent extends DisplayedGiftEvent {
  static readonly type = 'donation-form-submit';
  constructor(gift: DisplayedGift, isTest: boolean) {
    super(DonationFormSubmitEvent.type, gift, isTest, true);
  }
}

/**
 * A donation succeeded, or its bank debit was accepted, which also fires
 * `donation-form-processing`. Fires once for each donation, before the page's `onSuccess`.
 */
export class DonationFormSuccessEvent extends Event {
  static readonly type = 'donation-form-success';
  /** Reference of the donation. It is also on the receipt. */
  readonly reference: string;
  /** The form is in test mode: no money moved. */
  readonly isTest: boolean;
  readonly #gift: SubmittedGift;
  readonly #response: DonateResponse;

  constructor(reference: string, gift: SubmittedGift, response: DonateResponse, isTest: boolean) {
    super(DonationFormSuccessEvent.type, { bubbles: true, composed: true });
    this.reference = reference;
    this.#gift = gift;
    this.#response = response;
    this.isTest = isTest;
  }

  /** Returns a new copy on each access, because a listener may modify it. */
  get gift(): SubmittedGift {
    return { ...this.#gift };
  }

  /** Returns a new copy on each access, because a listener may modify it. */
  get response(): DonateResponse {
    return structuredClone(this.#response);
  }
}

/**
 * A donation was accepted and its payment is still processing: a bank debit, or a transfer or check
 * that the donor promised. Fires once for each donation. `onSuccess` is called for a bank debit.
 */
export class DonationFormProcessingEvent extends Event {
  static readonly type = 'donation-form-processing';
  readonly reference: string;
  /** The form is in test mode: no money will move. */
  readonly isTest: boolean;
  /** `bank` for a bank debit, `donor` for a transfer or check that the donor promised. */
  readonly awaiting: 'bank' | 'donor';
  readonly #gift: SubmittedGift;

  constructor(
    reference: string,
    gift: SubmittedGift,
    isTest: boolean,
    awaiting: 'bank' | 'donor' = 'bank',
  ) {
    super(DonationFormProcessingEvent.type, { bubbles: true, composed: true });
    this.reference = reference;
    this.#gift = gift;
    this.isTest = isTest;
    this.awaiting = awaiting;
  }

  /** Returns a new copy on each access, because a listener may modify it. */
  get gift(): SubmittedGift {
    return { ...this.#gift };
  }
}

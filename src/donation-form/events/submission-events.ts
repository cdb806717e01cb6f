import type { DonateResponse, DonationOutcome } from '@donation-form/core/schemas';
import type { DonationFrequency } from '@donation-form/core/donation';

/**
 * The donation that the form shows. Amounts are in minor units. They are absent until the form has
 * a valid amount.
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

/**
 * The form is ready to accept a donation. `gift` is the preselected donation. Fires once for each
 * form.
 */
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

/** The donor submitted a valid form. Cancel the event to send nothing. */
export class DonationFormSubmitEvent extends DisplayedGiftEvent {
  static readonly type = 'donation-form-submit';
  constructor(gift: DisplayedGift, isTest: boolean) {
    super(DonationFormSubmitEvent.type, gift, isTest, true);
  }
}

/**
 * A donation succeeded, or its bank debit was accepted. A bank debit also fires
 * `donation-form-processing`. Fires once for each donation, before the page's `onSuccess` callback.
 */
export class DonationFormSuccessEvent extends Event {
  static readonly type = 'donation-form-success';
  /** Reference of the donation. It is also on the receipt. */
  readonly reference: string;
  /** True if the form is in test mode, in which no money moves. */
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
 * that the donor promised. Fires once for each donation. For a bank debit, the form also calls
 * `onSuccess`.
 */
export class DonationFormProcessingEvent extends Event {
  static readonly type = 'donation-form-processing';
  readonly reference: string;
  /** True if the form is in test mode, in which no money moves. */
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

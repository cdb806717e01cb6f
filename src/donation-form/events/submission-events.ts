import type { DonateResponse, Outcome } from '@donation-form/core/schemas';
import type { GiftFrequency } from '@donation-form/core/donation';

/**
 * What a form shows that would be given. Amounts are in minor units, and absent while the amount is
 * not one that the form takes.
 */
export interface ShownGift {
  readonly amount?: number;
  readonly costs?: number;
  readonly total?: number;
  /** ISO 4217. */
  readonly currency: string;
  /** How many digits of an amount stand behind its decimal mark. */
  readonly decimals: number;
  readonly frequency: GiftFrequency;
  /** Absent where the gift is divided over several. */
  readonly projectId?: string;
}

/** What was given. Amounts are in minor units. */
export type GivenGift = Outcome['gift'] & Pick<ShownGift, 'decimals'>;

/** What happens to the gift that a form shows. It says nothing of who gives. */
class ShownGiftEvent extends Event {
  readonly gift: ShownGift;
  /** No money moves through the form. */
  readonly isTest: boolean;

  constructor(type: string, gift: ShownGift, isTest: boolean, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
    this.gift = gift;
    this.isTest = isTest;
  }
}

/** A gift can be given now, and this is the one that is suggested. It comes once for each form. */
export class DonationFormReadyEvent extends ShownGiftEvent {
  static readonly type = 'donation-form-ready';
  constructor(gift: ShownGift, isTest: boolean) {
    super(DonationFormReadyEvent.type, gift, isTest);
  }
}

/** The gift that is shown is another one: the donor changed it, or a setting did. */
export class DonationFormChangeEvent extends ShownGiftEvent {
  static readonly type = 'donation-form-change';
  constructor(gift: ShownGift, isTest: boolean) {
    super(DonationFormChangeEvent.type, gift, isTest);
  }
}

/** The donor has begun to enter who gives. It comes once for each form. */
export class DonationFormDetailsEvent extends ShownGiftEvent {
  static readonly type = 'donation-form-details';
  constructor(gift: ShownGift, isTest: boolean) {
    super(DonationFormDetailsEvent.type, gift, isTest);
  }
}

/** The donor pressed the button and nothing is missing. Cancelling it sends nothing. */
export class DonationFormSubmitEvent extends ShownGiftEvent {
  static readonly type = 'donation-form-submit';
  constructor(gift: ShownGift, isTest: boolean) {
    super(DonationFormSubmitEvent.type, gift, isTest, true);
  }
}

/** A gift succeeded. It comes once for each gift, before the page's `onSuccess`. */
export class DonationFormSuccessEvent extends Event {
  static readonly type = 'donation-form-success';
  /** The gift's short name, the same on the receipt. */
  readonly reference: string;
  readonly gift: GivenGift;
  readonly response: DonateResponse;
  /** No money has moved. */
  readonly isTest: boolean;

  constructor(reference: string, gift: GivenGift, response: DonateResponse, isTest: boolean) {
    super(DonationFormSuccessEvent.type, { bubbles: true, composed: true });
    this.reference = reference;
    this.gift = gift;
    this.response = response;
    this.isTest = isTest;
  }
}

/**
 * A gift was accepted whose money comes later, such as a bank debit. It comes once for each gift;
 * the page's `onSuccess` is not called.
 */
export class DonationFormPendingEvent extends Event {
  static readonly type = 'donation-form-pending';
  readonly reference: string;
  readonly gift: GivenGift;
  /** No money will move. */
  readonly isTest: boolean;

  constructor(reference: string, gift: GivenGift, isTest: boolean) {
    super(DonationFormPendingEvent.type, { bubbles: true, composed: true });
    this.reference = reference;
    this.gift = gift;
    this.isTest = isTest;
  }
}

import type { DonateResponse, Outcome } from '../contract/outcome.ts';
import type { GiftFrequency } from '../model/frequency.ts';

/** What a form shows that would be given. Amounts are in minor units, and absent while the amount is not one that the form takes. */
export interface ShownGift {
  readonly amount?: number;
  readonly costs?: number;
  readonly total?: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly frequency: GiftFrequency;
  /** Absent where the gift is divided over several. */
  readonly projectId?: string;
}

/** The gift that is shown is another one: the donor changed it, or a setting did. It says nothing of who gives. */
export class DonationFormChangeEvent extends Event {
  static readonly type = 'donation-form-change';
  readonly gift: ShownGift;

  constructor(gift: ShownGift) {
    super(DonationFormChangeEvent.type, { bubbles: true, composed: true });
    this.gift = gift;
  }
}

/** The donor pressed the button and nothing is missing. Cancelling it sends nothing. */
export class DonationFormSubmitEvent extends Event {
  static readonly type = 'donation-form-submit';
  constructor() {
    super(DonationFormSubmitEvent.type, { bubbles: true, composed: true, cancelable: true });
  }
}

/** A gift succeeded. It comes once for each gift, before the page's `onSuccess`. */
export class DonationFormSuccessEvent extends Event {
  static readonly type = 'donation-form-success';
  /** The gift's short name, the same on the receipt. */
  readonly reference: string;
  /** What was given, minor units. */
  readonly gift: Outcome['gift'];
  readonly response: DonateResponse;

  constructor(reference: string, gift: Outcome['gift'], response: DonateResponse) {
    super(DonationFormSuccessEvent.type, { bubbles: true, composed: true });
    this.reference = reference;
    this.gift = gift;
    this.response = response;
  }
}

/** A gift was accepted whose money comes later, such as a bank debit. It comes once for each gift; the page's `onSuccess` is not called. */
export class DonationFormPendingEvent extends Event {
  static readonly type = 'donation-form-pending';
  readonly reference: string;
  /** What is given, minor units. */
  readonly gift: Outcome['gift'];

  constructor(reference: string, gift: Outcome['gift']) {
    super(DonationFormPendingEvent.type, { bubbles: true, composed: true });
    this.reference = reference;
    this.gift = gift;
  }
}

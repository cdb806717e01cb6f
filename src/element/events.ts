import type { GiftFrequency } from '../model/frequency.ts';
import type { DonationFormPendingEvent, DonationFormSubmitEvent, DonationFormSuccessEvent } from './sending-events.ts';
import type { DonationFormSettingIgnoredEvent } from './ignored-event.ts';

/** The form is shown, with its settings resolved. */
export class DonationFormLoadEvent extends Event {
  static readonly type = 'donation-form-load';
  constructor() {
    super(DonationFormLoadEvent.type, { bubbles: true, composed: true });
  }
}

/** What a form shows that would be given. Amounts are in minor units, and absent while the amount is not one that the form takes. */
export interface ShownGift {
  readonly amount?: number;
  readonly costs?: number;
  readonly total?: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly frequency: GiftFrequency;
  readonly projectId: string;
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

/** A gift did not go through, or is not known to have. `code` is stable: for analytics, not for the donor. */
export class DonationFormErrorEvent extends Event {
  static readonly type = 'donation-form-error';
  readonly code: string;

  constructor(code: string) {
    super(DonationFormErrorEvent.type, { bubbles: true, composed: true });
    this.code = code;
  }
}

/** A callback of the page threw. The gift is untouched. */
export class DonationFormCallbackErrorEvent extends Event {
  static readonly type = 'donation-form-callback-error';
  readonly callback: string;
  readonly error: unknown;

  constructor(callback: string, error: unknown) {
    super(DonationFormCallbackErrorEvent.type, { bubbles: true, composed: true });
    this.callback = callback;
    this.error = error;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'donation-form-load': DonationFormLoadEvent;
    'donation-form-setting-ignored': DonationFormSettingIgnoredEvent;
    'donation-form-change': DonationFormChangeEvent;
    'donation-form-submit': DonationFormSubmitEvent;
    'donation-form-success': DonationFormSuccessEvent;
    'donation-form-pending': DonationFormPendingEvent;
    'donation-form-error': DonationFormErrorEvent;
    'donation-form-callback-error': DonationFormCallbackErrorEvent;
  }
}

import type { DonateResponse, Outcome } from '../contract/outcome.ts';
import type { DonationFormSettingIgnoredEvent } from './ignored-event.ts';

/** The form is shown, with its settings resolved. */
export class DonationFormLoadEvent extends Event {
  static readonly type = 'donation-form-load';
  constructor() {
    super(DonationFormLoadEvent.type, { bubbles: true, composed: true });
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
    'donation-form-submit': DonationFormSubmitEvent;
    'donation-form-success': DonationFormSuccessEvent;
    'donation-form-error': DonationFormErrorEvent;
    'donation-form-callback-error': DonationFormCallbackErrorEvent;
  }
}

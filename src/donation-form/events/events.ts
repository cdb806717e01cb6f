import type {
  DonationFormChangeEvent,
  DonationFormDetailsEvent,
  DonationFormPendingEvent,
  DonationFormReadyEvent,
  DonationFormSubmitEvent,
  DonationFormSuccessEvent,
} from './submission-events.ts';
import type { DonationFormSettingIgnoredEvent } from './setting-ignored-event.ts';

/** The form is shown, with its settings resolved. */
export class DonationFormLoadEvent extends Event {
  static readonly type = 'donation-form-load';
  constructor() {
    super(DonationFormLoadEvent.type, { bubbles: true, composed: true });
  }
}

/**
 * A gift did not go through, or is not known to have. `code` is stable: for analytics, not for the
 * donor.
 */
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

/** The events of `<donation-form>`, by name. */
export interface DonationFormEventMap {
  'donation-form-load': DonationFormLoadEvent;
  'donation-form-setting-ignored': DonationFormSettingIgnoredEvent;
  'donation-form-ready': DonationFormReadyEvent;
  'donation-form-change': DonationFormChangeEvent;
  'donation-form-details': DonationFormDetailsEvent;
  'donation-form-submit': DonationFormSubmitEvent;
  'donation-form-success': DonationFormSuccessEvent;
  'donation-form-pending': DonationFormPendingEvent;
  'donation-form-error': DonationFormErrorEvent;
  'donation-form-callback-error': DonationFormCallbackErrorEvent;
}

declare global {
  // oxlint-disable-next-line typescript/no-empty-object-type -- an interface of the DOM is only added to
  interface GlobalEventHandlersEventMap extends DonationFormEventMap {}
}

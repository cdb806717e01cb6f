import type { DonationFormProcessingEvent, DonationFormSuccessEvent } from './accepted-events.ts';
import type { DonationFormCallbackErrorEvent } from './callback-error-event.ts';
import { FormEvent } from './form-event.ts';
import type { DonationFormSettingIgnoredEvent } from './setting-ignored-event.ts';
import type {
  DonationFormChangeEvent,
  DonationFormDonorStartEvent,
  DonationFormReadyEvent,
  DonationFormSubmitEvent,
} from './submission-events.ts';

/** Fires when the form is visible and its settings are resolved. */
export class DonationFormLoadEvent extends FormEvent {
  static readonly type = 'donation-form-load';
  constructor() {
    super(DonationFormLoadEvent.type);
  }
}

/**
 * Fires when a donation fails or its outcome is unknown. `code` is stable. Use the code for
 * analytics, and do not show it to donors.
 */
export class DonationFormErrorEvent extends FormEvent {
  static readonly type = 'donation-form-error';
  readonly code: string;

  constructor(code: string) {
    super(DonationFormErrorEvent.type);
    this.code = code;
  }
}

/** Events of `<donation-form>`, keyed by event name. */
export interface DonationFormEventMap {
  'donation-form-load': DonationFormLoadEvent;
  'donation-form-setting-ignored': DonationFormSettingIgnoredEvent;
  'donation-form-ready': DonationFormReadyEvent;
  'donation-form-change': DonationFormChangeEvent;
  'donation-form-donor-start': DonationFormDonorStartEvent;
  'donation-form-submit': DonationFormSubmitEvent;
  'donation-form-success': DonationFormSuccessEvent;
  'donation-form-processing': DonationFormProcessingEvent;
  'donation-form-error': DonationFormErrorEvent;
  'donation-form-callback-error': DonationFormCallbackErrorEvent;
}

declare global {
  // oxlint-disable-next-line typescript/no-empty-object-type -- merges into a DOM interface
  interface GlobalEventHandlersEventMap extends DonationFormEventMap {}
}

import { FormEvent } from './form-event.ts';

/** Fires when one of the page's callbacks throws. The error does not affect the donation. */
export class DonationFormCallbackErrorEvent extends FormEvent {
  static readonly type = 'donation-form-callback-error';
  readonly callback: string;
  readonly error: unknown;

  constructor(callback: string, error: unknown) {
    super(DonationFormCallbackErrorEvent.type);
    this.callback = callback;
    this.error = error;
  }
}

/**
 * Fires when one of the page's callbacks throws an error. The error does not affect the donation.
 */
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

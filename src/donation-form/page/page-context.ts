import {
  type Candidate,
  settingsOf,
  callbackOf,
  readAddresses,
} from '@donation-form/core/settings';
import { DonationFormCallbackErrorEvent } from '../events/events.ts';
import { hidePersonal, keptAddress, landedAddress } from './landing-params.ts';
import type { DonationFormBase } from '../form/attributes.ts';

/**
 * The page around a form, as the form hears it: the address as it is now, and settings and
 * callbacks as they are whenever they are asked for.
 */
export class Page {
  /** The query of the address. */
  readonly search: string;
  /** The address by which the visitor came to this page. */
  readonly #landed: string;
  /** What the form's own tag says. */
  readonly component: DonationFormBase;

  constructor(form: DonationFormBase) {
    this.component = form;
    this.search = this.#isRead ? location.search : '';
    this.#landed = this.#isRead ? landedAddress() : '';
    if (this.#isRead && !form.keepAddress) hidePersonal(this.#except);
  }

  /**
   * What this address says, and earlier ones: what the visitor agreed to keep may be taken back.
   */
  get addresses(): readonly Candidate[] {
    return readAddresses(
      this.search,
      [this.#landed, this.#isRead ? keptAddress() : ''],
      this.#except,
    );
  }

  get #isRead(): boolean {
    return this.component.urlParams !== 'off';
  }

  /** Parameters that are not read, in small letters. */
  get #except(): readonly string[] {
    return this.component.ignoreParams?.toLowerCase().split(/[\s,]+/) ?? [];
  }

  /** What the page has put into `window.ServiceDonorsForms`, whatever that is. */
  get settings(): unknown {
    return settingsOf(window, this.component.settingsKey);
  }

  /** Whether the page has a callback of this name now. */
  hears(name: 'onLoad' | 'onSuccess'): boolean {
    return this.#callback(name) !== undefined;
  }

  /**
   * Calls the page's callback, if there is one now. What goes wrong in it is the page's, never the
   * gift's.
   */
  async call(name: 'onLoad' | 'onSuccess', ...values: unknown[]): Promise<void> {
    try {
      await this.#callback(name)?.(...values);
    } catch (error) {
      console.error(`donation-form: the page's ${name} failed`, error);
      this.component.dispatchEvent(new DonationFormCallbackErrorEvent(name, error));
    }
  }

  #callback(name: 'onLoad' | 'onSuccess'): ReturnType<typeof callbackOf> {
    return callbackOf(this.settings, name) ?? callbackOf(this.component.settings, name);
  }
}

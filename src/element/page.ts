import type { Candidate } from '../settings/candidate.ts';
import type { ComponentSettings } from '../settings/component.ts';
import { callbackOf, settingsOf } from '../settings/page-settings.ts';
import { readAddresses } from '../settings/url.ts';
import { DonationFormCallbackErrorEvent } from './events.ts';
import { earlierAddresses, hidePersonal } from './landing.ts';

/** What a form's tag says about what is read around it. */
export interface FormTag extends ComponentSettings, EventTarget {
  readonly urlParams?: string | undefined;
  readonly ignoreParams?: string | undefined;
  readonly settingsKey?: string | undefined;
  readonly keepAddress?: boolean;
}

/** The page around a form, as the form hears it: the address as it is now, and settings and callbacks as they are whenever they are asked for. */
export class Page {
  /** The query of the address. */
  readonly search: string;
  /** What this address says, and earlier ones. */
  readonly addresses: readonly Candidate[];
  /** What the form's own tag says. */
  readonly component: FormTag;

  constructor(form: FormTag) {
    const { urlParams, ignoreParams = '', keepAddress } = form;
    const isRead = urlParams !== 'off', except = ignoreParams.toLowerCase().split(/[\s,]+/);
    this.component = form;
    this.search = location.search;
    this.addresses = isRead ? readAddresses(this.search, earlierAddresses(), except) : [];
    if (isRead && !keepAddress) hidePersonal(except);
  }

  /** What the page has put into `window.ServiceDonorsForms`, whatever that is. */
  get settings(): unknown {
    return settingsOf(window, this.component.settingsKey);
  }

  /**
   * Calls the page's callback, if there is one now. What goes wrong in it is the page's, never the gift's.
   * @returns whether there was one.
   */
  call(name: 'onLoad' | 'onSuccess', ...values: unknown[]): boolean {
    const callback = callbackOf(this.settings, name) ?? callbackOf(this.component.settings, name);
    const failed = (error: unknown): void => {
      console.error(`donation-form: the page's ${name} failed`, error);
      this.component.dispatchEvent(new DonationFormCallbackErrorEvent(name, error));
    };
    try {
      Promise.resolve(callback?.(...values)).catch(failed);
    } catch (error) {
      failed(error);
    }
    return callback !== undefined;
  }
}

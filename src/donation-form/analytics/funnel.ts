import type { ShownGift } from '../events/submission-events.ts';
import { ofShown, type Counted, type Parameters } from './event-params.ts';

/**
 * What donors do one after the other: by the form's events, and in the names of Google Analytics 4.
 */
export const STEPS = ['ready', 'change', 'details', 'submit'] as const;
const NAMES = ['view_item', 'add_to_cart', 'begin_checkout', 'add_payment_info'] as const;

/** The way to a gift by one form of this page: each step of it, and each error, is told once. */
export class Journey {
  /** `undefined` where the form has not said. */
  isTest: boolean | undefined;
  readonly #tell: (event: string, parameters: Parameters) => void;
  readonly #codes = new Set<string>();
  #steps = 0;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(tell: (event: string, parameters: Parameters) => void) {
    this.#tell = tell;
  }

  /**
   * Tells a step, by its place, and those before it that were left out: who gives what is suggested
   * has chosen it too.
   */
  reach(step: number, gift: ShownGift, counted: Counted): void {
    clearTimeout(this.#waiting);
    while (this.#steps <= step) this.#tell(NAMES[this.#steps++]!, ofShown(gift, counted));
  }

  /** Does something after so many milliseconds in which no step was made. */
  wait(then: () => void, time: number): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(then, time);
  }

  fail(code: string): void {
    if (!this.#codes.has(code))
      this.#tell('donation_form_error', { ecommerce: {}, donation: { error_code: code } });
    this.#codes.add(code);
  }
}

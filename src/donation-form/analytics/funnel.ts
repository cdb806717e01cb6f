import type { DisplayedGift } from '../events/submission-events.ts';
import { toEventParams, type ValueBasis, type EventParams } from './event-params.ts';

/** Form events that mark the funnel steps, in order. `GA4_EVENTS` lists the matching GA4 events. */
export const FUNNEL_STEPS = ['ready', 'change', 'donor-start', 'submit'] as const;
const GA4_EVENTS = ['view_item', 'add_to_cart', 'begin_checkout', 'add_payment_info'] as const;

/** Donation funnel of one form on this page. Reports each step and each error code once. */
export class Funnel {
  /** True in test mode. Undefined until the form reports its mode. */
  isTest: boolean | undefined;
  readonly #send: (event: string, params: EventParams) => void;
  readonly #reportedErrors = new Set<string>();
  #nextStep = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (event: string, params: EventParams) => void) {
    this.#send = send;
  }

  /** Reports a step after the earlier ones that the donor skipped, such as `change`. */
  reportSteps(step: number, gift: DisplayedGift, valueBasis: ValueBasis): void {
    clearTimeout(this.#timer);
    while (this.#nextStep <= step)
      this.#send(GA4_EVENTS[this.#nextStep++]!, toEventParams(gift, valueBasis));
  }

  /** Runs a task after a delay, unless the next call of `debounce` or `reportSteps` cancels it. */
  debounce(task: () => void, milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(task, milliseconds);
  }

  reportError(code: string): void {
    if (!this.#reportedErrors.has(code))
      this.#send('donation_form_error', { ecommerce: {}, donation: { error_code: code } });
    this.#reportedErrors.add(code);
  }
}

import type { DisplayedGift } from '../events/submission-events.ts';
import { createConsentCheck } from './consent.ts';
import { recordEvent } from './dedupe.ts';
import { type Destination, GA4, META, type TagWindow, type Tool, TOOLS } from './destinations.ts';
import {
  type EventParams,
  toEventParams,
  toPurchaseParams,
  type ValueBasis,
} from './event-params.ts';

/** Options for {@link trackDonations}. */
export interface AnalyticsOptions {
  /**
   * Returns true, or a promise that resolves to true, if the visitor consents to analytics. If the
   * page uses Google Consent Mode, its consent state overrides the result.
   */
  readonly consent?: () => unknown;
  /** Value to report: `gift` (the default) for the amount alone, or `total` with the fee cover. */
  readonly value?: ValueBasis | undefined;
  /** Analytics tools to use. Default: all tools available on the page. */
  readonly tools?: readonly Tool[] | undefined;
}

/** Milliseconds without a change before its report. Donors type an amount one digit at a time. */
const CHANGE_DEBOUNCE = 1_000;

/** Prevents two copies of this script from tracking the same page. */
const RUNNING_KEY = Symbol.for('donation-form-analytics');

/**
 * Reports donations and the donation funnel to the page's analytics tools. Reports each donation
 * once across reloads and tabs, and each funnel step once per form and page load. Reports nothing
 * without consent, and never reports personal data. In test mode, only logs to the console what it
 * would report.
 * @returns a function that stops tracking.
 * @throws {TypeError} if an option has an unknown value.
 *
 * @example
 * ```ts
 * import { trackDonations } from 'donation-form/analytics';
 *
 * const stop = trackDonations({
 *   consent: () => document.cookie.includes('analytics=yes'),
 *   value: 'total',
 * });
 * addEventListener('consent-withdrawn', stop);
 * ```
 */
export function trackDonations({
  consent,
  value = 'gift',
  tools = TOOLS,
}: AnalyticsOptions = {}): () => void {
  assertAllowedValues('value', [value], ['gift', 'total']);
  assertAllowedValues('tools', tools, TOOLS);
  const tagWindow = window as TagWindow & { [RUNNING_KEY]?: boolean };
  if (tagWindow[RUNNING_KEY]) return () => undefined;
  tagWindow[RUNNING_KEY] = true;
  const abortController = new AbortController();
  const { signal } = abortController;
  const queue = new EventQueue();
  const isAllowed = createConsentCheck(consent, () => queue.flush());
  const send: SendEvent = (
    { name, consent: consentTypes, connect },
    { isTest },
    event,
    params,
    dedupeKey,
  ) => {
    // The delayed report of a change can arrive after tracking has stopped.
    if (signal.aborted) return;
    queue.add(() => {
      const sendToTool = isAllowed(consentTypes, tagWindow.dataLayer)
        ? connect(Object.fromEntries(tools.map((tool) => [tool, tagWindow[tool]])))
        : undefined;
      // If the mode is unknown, assumes test mode, unless the form could not load.
      if (sendToTool && (isTest ?? params.donation.error_code !== 'form-unavailable'))
        console.info('donation-form: Not sent in test mode:', event, params);
      else if (sendToTool && (!dedupeKey || recordEvent(name + dedupeKey)))
        sendToTool(event, params);
      return Boolean(sendToTool);
    });
  };
  subscribeToForms(send, value, signal);
  return () => {
    abortController.abort();
    queue.clear();
    tagWindow[RUNNING_KEY] = false;
  };
}

/** Sends an event to a destination. Sends only one event for each `dedupeKey`. */
type SendEvent = (
  destination: Destination,
  funnel: Pick<Funnel, 'isTest'>,
  event: string,
  params: EventParams,
  dedupeKey?: string,
) => void;

/** Event from a form. Events from older releases of the form do not include `isTest`. */
type FormEvent<Type extends keyof DocumentEventMap> = DocumentEventMap[Type] & {
  readonly isTest?: boolean;
  readonly code?: string;
};

function subscribeToForms(send: SendEvent, valueBasis: ValueBasis, signal: AbortSignal): void {
  const funnels = new WeakMap<EventTarget, Funnel>();
  const on = <Type extends `donation-form-${string}` & keyof DocumentEventMap>(
    type: Type,
    handleEvent: (event: FormEvent<Type>, funnel: Funnel) => void,
  ): void =>
    document.addEventListener(
      type,
      (event: FormEvent<Type>) => {
        const form = event.composedPath()[0]!;
        const funnel: Funnel =
          funnels.get(form) ?? new Funnel((name, params) => send(GA4, funnel, name, params));
        funnels.set(form, funnel);
        funnel.isTest = event.isTest ?? funnel.isTest;
        handleEvent(event, funnel);
      },
      { signal },
    );

  FUNNEL_STEPS.forEach((step, index) =>
    on(`donation-form-${step}`, ({ gift, defaultPrevented }, funnel) => {
      const reportStep = (): void => funnel.reportSteps(index, gift, valueBasis);
      if (step === 'change')
        funnel.debounce(() => {
          if (gift.amount) reportStep();
        }, CHANGE_DEBOUNCE);
      else if (!defaultPrevented) reportStep();
    }),
  );
  on('donation-form-success', (event, funnel) => {
    const params = toPurchaseParams(event, valueBasis);
    send(GA4, funnel, 'purchase', params, event.reference);
    send(META, funnel, 'Donate', params, event.reference);
  });
  on('donation-form-processing', ({ reference, gift }, funnel) =>
    send(
      GA4,
      funnel,
      'donation_form_processing',
      toEventParams(gift, valueBasis, reference),
      `processing ${reference}`,
    ),
  );
  on('donation-form-error', ({ code }, funnel) => funnel.reportError(code));
}

/** Form events that mark the funnel steps, in order. `GA4_EVENTS` lists the matching GA4 events. */
const FUNNEL_STEPS = ['ready', 'change', 'donor-start', 'submit'] as const;
const GA4_EVENTS = ['view_item', 'add_to_cart', 'begin_checkout', 'add_payment_info'] as const;

/** Donation funnel of one form on this page. Reports each step and each error code once. */
class Funnel {
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

function assertAllowedValues(
  name: string,
  values: readonly string[],
  allowedValues: readonly string[],
): void {
  for (const value of values)
    if (!allowedValues.includes(value))
      throw new TypeError(
        `donation-form: ${name} is '${value}'; expected ${allowedValues.join()}.`,
      );
}

/** Returns false if the visitor has not consented or the page has no analytics tool yet. */
type DeliveryAttempt = () => boolean;

const MAX_EVENTS = 50;
/** 30 minutes, in milliseconds. */
const MAX_AGE = 1_800_000;
const RETRY_INTERVAL = 1_000;

class EventQueue {
  #pending: readonly DeliveryAttempt[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  add(deliver: DeliveryAttempt): void {
    const expiresAt = Date.now() + MAX_AGE;
    this.#pending = [...this.#pending, () => Date.now() > expiresAt || deliver()].slice(
      -MAX_EVENTS,
    );
    this.flush();
  }

  /** Sends the events that can be sent now, and tries the others again later. */
  flush(): void {
    const pending = this.#pending;
    // Sending an event can add another event to the queue.
    this.#pending = [];
    this.#pending = [...pending.filter((deliver) => !tryDeliver(deliver)), ...this.#pending];
    clearTimeout(this.#timer);
    if (this.#pending[0]) this.#timer = setTimeout(() => this.flush(), RETRY_INTERVAL);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#pending = [];
  }
}

/** Returns true even if the analytics tool throws, because a retry could send the event twice. */
function tryDeliver(deliver: DeliveryAttempt): boolean {
  try {
    return deliver();
  } catch (error) {
    reportError(error);
    return true;
  }
}

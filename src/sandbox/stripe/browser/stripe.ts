/**
 * Replacement for Stripe.js, because tests cannot load the real script. The replacement has the same
 * API, rejects the same arguments, and receives card numbers only in its own frame.
 */
import type { Appearance, ConfirmationToken, PaymentIntent, StripeError } from '@stripe/stripe-js';
import { EventDispatcher } from './event-dispatcher.ts';
import { ExpressCheckoutElement } from './express-checkout.ts';
import { PROTECTED_STYLE } from './frame-style.ts';

/** Origins of the API and the frames. */
declare const API_URL: string;
declare const FRAME_URL: string;
/** Faults that the sandbox injects into Stripe.js. */
declare const FAULTS: {
  /** Makes every call reject or stay pending. */
  readonly calls: 'reject' | 'silent' | null;
  readonly isHeavy: boolean;
};
const FRAME_ORIGIN = new URL(FRAME_URL).origin;

/**
 * Calls and events that a test can make fail. `ready` is the Payment Element's event, and
 * `walletsReady` is the `ready` event of the Express Checkout Element.
 */
type FaultyCall =
  'ready' | 'walletsReady' | 'update' | 'submit' | 'createConfirmationToken' | 'handleNextAction';

declare global {
  interface Window {
    /** Makes a call reject, stay pending, or resolve after the given number of milliseconds. */
    stripeFaults?: Partial<Record<FaultyCall, 'reject' | 'silent' | number>>;
  }
}

interface ElementsOptions {
  readonly mode?: 'payment' | 'subscription' | 'setup';
  readonly amount?: number;
  readonly currency?: string;
  readonly allowedPaymentMethodTypes?: readonly string[];
  readonly setupFutureUsage?: 'off_session' | 'on_session' | null;
  readonly appearance?: Appearance;
  readonly locale?: string;
}

interface ElementOptions {
  readonly wallets?: {
    readonly applePay?: 'auto' | 'never';
    readonly googlePay?: 'auto' | 'never';
    readonly link?: 'auto' | 'never';
  };
  readonly paymentMethodOrder?: readonly string[];
  readonly layout?: string | { readonly type: string };
}

interface TokenParams {
  readonly payment_method_data?: { readonly billing_details?: object };
  readonly return_url?: string;
}

type Result<Name extends string, Thing> =
  | (Readonly<Record<Name, Thing>> & { readonly error?: undefined })
  | (Readonly<Partial<Record<Name, undefined>>> & { readonly error: StripeError });

const KNOWN_OPTIONS = [
  'mode',
  'amount',
  'currency',
  'allowedPaymentMethodTypes',
  'excludedPaymentMethodTypes',
  'setupFutureUsage',
  'captureMethod',
  'appearance',
  'locale',
  'fonts',
  'loader',
  'paymentMethodOptions',
  'customerSessionClientSecret',
  'externalPaymentMethodTypes',
];
const ALL_TYPES = ['card', 'link', 'us_bank_account', 'sepa_debit', 'ideal'];

class IntegrationError extends Error {
  override readonly name = 'IntegrationError';
}

async function simulateFault(call: FaultyCall): Promise<void> {
  const fault = window.stripeFaults?.[call] ?? (call === 'ready' ? undefined : FAULTS.calls);
  if (fault === 'reject') throw new IntegrationError(`${call} fails on purpose.`);
  if (fault === 'silent') await new Promise(() => undefined);
  if (typeof fault === 'number')
    await new Promise((resolve) => {
      setTimeout(resolve, fault);
    });
}

class PaymentElement extends EventDispatcher {
  readonly #elements: Elements;
  readonly #options: ElementOptions;
  readonly #pendingRequests = new Map<number, (response: never) => void>();
  #frame: HTMLIFrameElement | undefined;
  #loadCallbacks: (() => void)[] = [];
  #isLoaded = false;
  #lastRequestId = 0;

  constructor(elements: Elements, options: ElementOptions) {
    super();
    this.#elements = elements;
    this.#options = options;
  }

  mount(target: string | HTMLElement): void {
    const node = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
    if (!node)
      throw new IntegrationError(
        `The selector you specified (${typeof target === 'string' ? target : 'none'}) ` +
          'applies to no DOM elements that are currently on the page.',
      );
    if (node.getRootNode() instanceof ShadowRoot)
      throw new IntegrationError(
        'Elements cannot be mounted in a ShadowRoot. Please mount in the Light DOM.',
      );
    if (this.#frame) this.unmount();
    const frame = document.createElement('iframe');
    Object.assign(frame, {
      src: `${FRAME_URL}/elements${FAULTS.isHeavy ? '?heavy' : ''}`,
      title: 'Secure payment input frame',
      name: '__privateStripeFrame1',
      allow: 'payment *',
    });
    // Offsets the margin that the frame's document has for focus rings around the fields.
    frame.style.cssText =
      `${PROTECTED_STYLE}; margin: -5px !important; width: calc(100% + 10px) !important; ` +
      'height: 7.5625rem';
    this.#frame = frame;
    this.#updateColorScheme();
    window.addEventListener('message', this.#handleMessage);
    node.replaceChildren(frame);
  }

  update(options: ElementOptions): void {
    Object.assign(this.#options, options);
    this.refresh();
  }

  focus(): void {
    this.#frame?.focus();
    if (this.#frame) void this.sendRequest('focus');
  }

  unmount(): void {
    window.removeEventListener('message', this.#handleMessage);
    this.#frame?.remove();
    this.#frame = undefined;
    this.#isLoaded = false;
  }

  destroy(): void {
    this.unmount();
    this.#elements.clearElement();
  }

  /** Sends the current options to the frame, immediately or once it has loaded. */
  refresh(): void {
    if (!this.#frame) return;
    this.#updateColorScheme();
    void this.sendRequest('start', this.#getStartOptions());
  }

  #getStartOptions(): object {
    const { direction } = getComputedStyle(this.#frame!);
    return { ...this.#elements.getStartOptions(this.#options), direction };
  }

  /** A frame is transparent only if it has the same color scheme as the page that embeds it. */
  #updateColorScheme(): void {
    this.#frame!.style.colorScheme = this.#elements.isDark ? 'dark' : 'light';
  }

  async sendRequest<Response>(name: string, value?: unknown): Promise<Response> {
    if (!this.#isLoaded) await new Promise<void>((resolve) => this.#loadCallbacks.push(resolve));
    const id = (this.#lastRequestId += 1);
    return new Promise((resolve) => {
      this.#pendingRequests.set(id, resolve);
      this.#frame?.contentWindow?.postMessage(
        { fake: 'element', id, request: name, value },
        FRAME_ORIGIN,
      );
    });
  }

  get isMounted(): boolean {
    return this.#frame?.isConnected === true;
  }

  readonly #handleMessage = ({
    source,
    origin,
    data,
  }: MessageEvent<{
    fake?: string;
    id?: number;
    response: never;
    event: string;
    value: unknown;
  }>): void => {
    if (origin !== FRAME_ORIGIN || source !== this.#frame?.contentWindow || data.fake !== 'element')
      return;
    if (data.id !== undefined) {
      this.#pendingRequests.get(data.id)?.(data.response);
      this.#pendingRequests.delete(data.id);
    } else if (data.event === 'loaded') {
      this.#isLoaded = true;
      for (const callback of this.#loadCallbacks.splice(0)) callback();
      void this.sendRequest('start', this.#getStartOptions())
        .then(() => simulateFault('ready'))
        .then(() => this.dispatch('ready', { elementType: 'payment' }));
    } else if (data.event === 'height') this.#frame.style.height = `${Number(data.value)}px`;
    // Stripe submits a form around the element when the donor presses Enter in a field.
    else if (data.event === 'submit') this.#frame.closest('form')?.requestSubmit();
    else this.dispatch(data.event, data.value);
  };
}

class Elements {
  readonly #key: string;
  #options: ElementsOptions;
  #element: PaymentElement | undefined;
  #expressElement: ExpressCheckoutElement | undefined;
  #isSubmitted = false;

  constructor(key: string, options: ElementsOptions) {
    this.#key = key;
    this.#options = validateOptions(options);
  }

  create(type: string, options: ElementOptions = {}): PaymentElement | ExpressCheckoutElement {
    if (type === 'expressCheckout') {
      this.#expressElement = this.#createExpressElement(options);
      return this.#expressElement;
    }
    if (type !== 'payment')
      throw new IntegrationError(
        'A valid Element name must be provided. This replacement supports payment and ' +
          `expressCheckout; you passed in: ${type}.`,
      );
    if (this.#element) throw new IntegrationError('Can only create one Element of type payment.');
    this.#element = new PaymentElement(this, { ...options });
    return this.#element;
  }

  #createExpressElement(options: object): ExpressCheckoutElement {
    const getOptions = (): ElementsOptions => this.#options;
    return new ExpressCheckoutElement(
      {
        key: this.#key,
        get options() {
          return getOptions();
        },
        clearElement: () => {
          this.#expressElement = undefined;
        },
      },
      {
        frameUrl: FRAME_URL,
        createError: (message) => new IntegrationError(message),
        simulateFault: () => simulateFault('walletsReady'),
      },
      options,
    );
  }

  getElement(type: string): PaymentElement | null {
    return type === 'payment' ? (this.#element ?? null) : null;
  }

  async update(options: ElementsOptions): Promise<void> {
    await simulateFault('update');
    this.#options = validateOptions({ ...this.#options, ...options });
    this.#isSubmitted = false;
    this.#element?.refresh();
    if (options.appearance) this.#expressElement?.refresh();
  }

  async submit(): Promise<{
    readonly error?: StripeError;
    readonly selectedPaymentMethod?: string;
  }> {
    await simulateFault('submit');
    if (this.#expressElement) {
      this.#isSubmitted = true;
      return this.#expressElement.submit();
    }
    const result = await this.getMountedElement('elements.submit').sendRequest<{
      error?: StripeError;
      selectedPaymentMethod?: string;
    }>('submit');
    this.#isSubmitted = result.error === undefined;
    return result;
  }

  async createToken({ payment_method_data, return_url }: TokenParams = {}): Promise<
    Result<'confirmationToken', ConfirmationToken>
  > {
    const element =
      this.#expressElement ?? this.getMountedElement('stripe.createConfirmationToken');
    if (!this.#isSubmitted)
      throw new IntegrationError(
        'elements.submit() must be called before stripe.createConfirmationToken(). Call ' +
          'elements.submit() as soon as your customer presses pay, prior to any asynchronous ' +
          'work.',
      );
    const options = {
      billing_details: payment_method_data?.billing_details,
      return_url,
      setup_future_usage:
        this.#options.setupFutureUsage ??
        (this.#options.mode === 'subscription' ? 'off_session' : undefined),
    };
    return element instanceof PaymentElement
      ? element.sendRequest('token', options)
      : element.createToken(options);
  }

  getStartOptions({
    wallets,
    paymentMethodOrder = [],
    layout = 'accordion',
  }: ElementOptions): object {
    const {
      mode,
      currency,
      locale,
      appearance,
      allowedPaymentMethodTypes = ALL_TYPES,
    } = this.#options;
    return {
      key: this.#key,
      currency,
      locale,
      appearance,
      // Link is a part of the card form, which this replacement does not show.
      types: allowedPaymentMethodTypes.filter(
        (type) =>
          type !== 'link' ||
          (wallets?.link !== 'never' && !allowedPaymentMethodTypes.includes('card')),
      ),
      hasTabs: (typeof layout === 'string' ? layout : layout.type) === 'tabs',
      isRecurring: mode === 'subscription',
      order: paymentMethodOrder,
      googlePay: wallets?.googlePay !== 'never',
    };
  }

  get isDark(): boolean {
    return this.#options.appearance?.theme === 'night';
  }

  getMountedElement(caller: string): PaymentElement {
    if (!this.#element?.isMounted)
      throw new IntegrationError(
        `Invalid value for ${caller}: elements should have a mounted Payment Element.`,
      );
    return this.#element;
  }

  clearElement(): void {
    this.#element = undefined;
  }
}

function validateOptions(options: ElementsOptions): ElementsOptions {
  const { mode, amount, currency } = options;
  const unknown = Object.keys(options).find((name) => !KNOWN_OPTIONS.includes(name));
  if (unknown !== undefined)
    throw new IntegrationError(
      `Unrecognized elements() parameter: ${unknown} is not a recognized parameter.`,
    );
  if (mode !== 'payment' && mode !== 'subscription')
    throw new IntegrationError(
      'Invalid value for elements(): mode must be payment or subscription.',
    );
  if (!Number.isInteger(amount) || Number(amount) < 1)
    throw new IntegrationError(
      `Invalid value for elements(): amount must be greater than 0. You specified: ${String(amount)}.`,
    );
  if (currency === undefined || !/^[a-z]{3}$/.test(currency))
    throw new IntegrationError(
      `Invalid value for elements(): currency should be a lowercase ISO code. You specified: ${String(currency)}.`,
    );
  return options;
}

function createStripe(key: string) {
  if (!key.startsWith('pk_'))
    throw new IntegrationError(
      'Please call Stripe() with your publishable key. You used an empty string or a secret key.',
    );

  async function retrievePaymentIntent(
    clientSecret: string,
  ): Promise<Result<'paymentIntent', PaymentIntent>> {
    const [id = ''] = clientSecret.split('_secret_');
    const response = await fetch(
      `${API_URL}/v1/payment_intents/${id}?client_secret=${encodeURIComponent(clientSecret)}`,
      { headers: { Authorization: `Bearer ${key}` } },
    );
    const intent = (await response.json()) as PaymentIntent & { error?: StripeError };
    return intent.error ? { error: intent.error } : { paymentIntent: intent };
  }

  async function handleNextAction({
    clientSecret,
  }: {
    readonly clientSecret: string;
  }): Promise<Result<'paymentIntent', PaymentIntent>> {
    await simulateFault('handleNextAction');
    const previous = await retrievePaymentIntent(clientSecret);
    if (previous.error) return previous;
    const { id, status, next_action: action } = previous.paymentIntent;
    if (status !== 'requires_action')
      throw new IntegrationError(
        `handleNextAction: The PaymentIntent supplied is not in the requires_action state. Its status is ${status}.`,
      );
    if (action?.type === 'redirect_to_url') {
      window.location.assign(action.redirect_to_url!.url!);
      return new Promise(() => undefined);
    }
    // The authentication frame also replaces QR codes and the wallet's app.
    await showAuthenticationFrame(
      `${FRAME_URL}/authenticate/${id}?client_secret=${encodeURIComponent(clientSecret)}`,
    );
    const updated = await retrievePaymentIntent(clientSecret);
    if (updated.error || updated.paymentIntent.status !== 'requires_payment_method') return updated;
    return {
      error: {
        ...updated.paymentIntent.last_payment_error!,
        payment_intent: updated.paymentIntent,
      },
    };
  }

  return {
    elements: (options: ElementsOptions): Elements => new Elements(key, options),
    createConfirmationToken: async ({
      elements,
      params,
    }: {
      readonly elements: Elements;
      readonly params?: TokenParams;
    }) => {
      await simulateFault('createConfirmationToken');
      return elements.createToken(params);
    },
    retrievePaymentIntent,
    handleNextAction,
    _registerWrapper: (): void => undefined,
  };
}

/** Shows the bank's page on top of everything else until the cardholder responds. */
async function showAuthenticationFrame(url: string): Promise<void> {
  const frame = document.createElement('iframe');
  Object.assign(frame, {
    src: url,
    title: '3D Secure authentication',
    name: '__stripeJSChallengeFrame',
  });
  Object.assign(frame.style, {
    position: 'fixed',
    inset: '0',
    width: '100%',
    height: '100%',
    border: '0',
    background: '#fff',
    zIndex: '2147483647',
  });
  document.body.append(frame);
  await new Promise<void>((resolve) => {
    const handleMessage = ({ source, origin, data }: MessageEvent<{ fake?: string }>): void => {
      if (
        origin !== FRAME_ORIGIN ||
        source !== frame.contentWindow ||
        data.fake !== 'authenticated'
      )
        return;
      window.removeEventListener('message', handleMessage);
      resolve();
    };
    window.addEventListener('message', handleMessage);
  });
  frame.remove();
}

if (FAULTS.isHeavy) addControllerFrame();
// Stripe.js release that `@stripe/stripe-js` expects.
Object.assign(window, { Stripe: Object.assign(createStripe, { version: 'endive' }) });

/** Adds a second, hidden frame, as the real Stripe.js does. */
function addControllerFrame(): void {
  const frame = document.createElement('iframe');
  Object.assign(frame, {
    src: `${FRAME_URL}/controller`,
    title: 'Stripe controller',
    hidden: true,
  });
  if (document.readyState === 'loading')
    addEventListener('DOMContentLoaded', () => document.body.append(frame), { once: true });
  else document.body.append(frame);
}

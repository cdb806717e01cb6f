/**
 * A stand-in for Stripe.js, because tests cannot reach the real one. It has the same names, refuses
 * what Stripe.js refuses, and keeps
 * card numbers inside a frame of its own. It knows English only, and no looks.
 */
import type { Appearance, ConfirmationToken, PaymentIntent, StripeError } from '@stripe/stripe-js';

declare const ADDRESS: string;

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
}

interface TokenParams {
  readonly payment_method_data?: { readonly billing_details?: object };
  readonly return_url?: string;
}

type Listener = (event: unknown) => void;
type Outcome<Name extends string, Thing> =
  | (Readonly<Record<Name, Thing>> & { readonly error?: undefined })
  | (Readonly<Partial<Record<Name, undefined>>> & { readonly error: StripeError });

const KNOWN = [
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

class PaymentElement {
  readonly #elements: Elements;
  readonly #options: ElementOptions;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #answers = new Map<number, (answer: never) => void>();
  #frame: HTMLIFrameElement | undefined;
  #waiting: (() => void)[] = [];
  #isLoaded = false;
  #asked = 0;

  constructor(elements: Elements, options: ElementOptions) {
    this.#elements = elements;
    this.#options = options;
  }

  mount(place: string | HTMLElement): void {
    const node = typeof place === 'string' ? document.querySelector<HTMLElement>(place) : place;
    if (!node)
      throw new IntegrationError(
        `The selector you specified (${typeof place === 'string' ? place : 'none'}) applies to no DOM elements that are currently on the page.`,
      );
    if (node.getRootNode() instanceof ShadowRoot)
      throw new IntegrationError(
        'Elements cannot be mounted in a ShadowRoot. Please mount in the Light DOM.',
      );
    if (this.#frame) this.unmount();
    const frame = document.createElement('iframe');
    Object.assign(frame, {
      src: `${ADDRESS}/elements`,
      title: 'Secure payment input frame',
      name: '__privateStripeFrame1',
      allow: 'payment *',
    });
    Object.assign(frame.style, {
      border: '0',
      width: '100%',
      display: 'block',
      minHeight: '12rem',
    });
    this.#frame = frame;
    window.addEventListener('message', this.#hear);
    node.replaceChildren(frame);
  }

  on(name: string, listener: Listener): this {
    this.#listeners.set(name, (this.#listeners.get(name) ?? new Set()).add(listener));
    return this;
  }

  off(name: string, listener?: Listener): this {
    if (listener) this.#listeners.get(name)?.delete(listener);
    else this.#listeners.delete(name);
    return this;
  }

  update(options: ElementOptions): void {
    Object.assign(this.#options, options);
    this.refresh();
  }

  focus(): void {
    this.#frame?.focus();
    if (this.#frame) void this.ask('focus');
  }

  unmount(): void {
    window.removeEventListener('message', this.#hear);
    this.#frame?.remove();
    this.#frame = undefined;
    this.#isLoaded = false;
  }

  destroy(): void {
    this.unmount();
    this.#elements.forget();
  }

  /** Lets the frame know what is paid, now or as soon as it is there. */
  refresh(): void {
    if (this.#frame) void this.ask('start', this.#elements.start(this.#options));
  }

  async ask<Answer>(what: string, value?: unknown): Promise<Answer> {
    if (!this.#isLoaded) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const id = (this.#asked += 1);
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.#frame?.contentWindow?.postMessage({ fake: 'element', id, ask: what, value }, ADDRESS);
    });
  }

  get isMounted(): boolean {
    return this.#frame?.isConnected === true;
  }

  readonly #hear = ({
    source,
    origin,
    data,
  }: MessageEvent<{
    fake?: string;
    id?: number;
    answer: never;
    about: string;
    value: unknown;
  }>): void => {
    if (origin !== ADDRESS || source !== this.#frame?.contentWindow || data.fake !== 'element')
      return;
    if (data.id !== undefined) {
      this.#answers.get(data.id)?.(data.answer);
      this.#answers.delete(data.id);
    } else if (data.about === 'loaded') {
      this.#isLoaded = true;
      for (const go of this.#waiting.splice(0)) go();
      void this.ask('start', this.#elements.start(this.#options)).then(() =>
        this.#tell('ready', { elementType: 'payment' }),
      );
    } else if (data.about === 'height') this.#frame.style.height = `${Number(data.value)}px`;
    else this.#tell(data.about, data.value);
  };

  #tell(name: string, event: unknown): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(event);
  }
}

class Elements {
  readonly #key: string;
  #options: ElementsOptions;
  #element: PaymentElement | undefined;
  #isSubmitted = false;

  constructor(key: string, options: ElementsOptions) {
    this.#key = key;
    this.#options = checked(options);
  }

  create(type: string, options: ElementOptions = {}): PaymentElement {
    if (type !== 'payment')
      throw new IntegrationError(
        `A valid Element name must be provided. This stand-in knows payment; you passed in: ${type}.`,
      );
    if (this.#element) throw new IntegrationError('Can only create one Element of type payment.');
    this.#element = new PaymentElement(this, { ...options });
    return this.#element;
  }

  getElement(type: string): PaymentElement | null {
    return type === 'payment' ? (this.#element ?? null) : null;
  }

  update(options: ElementsOptions): void {
    this.#options = checked({ ...this.#options, ...options });
    this.#isSubmitted = false;
    this.#element?.refresh();
  }

  async submit(): Promise<{
    readonly error?: StripeError;
    readonly selectedPaymentMethod?: string;
  }> {
    const answer = await this.mounted('elements.submit').ask<{
      error?: StripeError;
      selectedPaymentMethod?: string;
    }>('submit');
    this.#isSubmitted = answer.error === undefined;
    return answer;
  }

  async token({ payment_method_data, return_url }: TokenParams = {}): Promise<
    Outcome<'confirmationToken', ConfirmationToken>
  > {
    const element = this.mounted('stripe.createConfirmationToken');
    if (!this.#isSubmitted)
      throw new IntegrationError(
        'elements.submit() must be called before stripe.createConfirmationToken(). Call elements.submit() as soon as your customer presses pay, prior to any asynchronous work.',
      );
    return element.ask('token', {
      billing_details: payment_method_data?.billing_details,
      return_url,
      setup_future_usage: this.#options.setupFutureUsage ?? undefined,
    });
  }

  start({ wallets }: ElementOptions): object {
    const { currency, allowedPaymentMethodTypes = ALL_TYPES } = this.#options;
    return {
      key: this.#key,
      currency,
      types: allowedPaymentMethodTypes.filter(
        (type) => type !== 'link' || wallets?.link !== 'never',
      ),
      googlePay: wallets?.googlePay !== 'never',
    };
  }

  mounted(asker: string): PaymentElement {
    if (!this.#element?.isMounted)
      throw new IntegrationError(
        `Invalid value for ${asker}: elements should have a mounted Payment Element.`,
      );
    return this.#element;
  }

  forget(): void {
    this.#element = undefined;
  }
}

function checked(options: ElementsOptions): ElementsOptions {
  const { mode, amount, currency } = options;
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
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
  ): Promise<Outcome<'paymentIntent', PaymentIntent>> {
    const [id = ''] = clientSecret.split('_secret_');
    const response = await fetch(
      `${ADDRESS}/v1/payment_intents/${id}?client_secret=${encodeURIComponent(clientSecret)}`,
      { headers: { Authorization: `Bearer ${key}` } },
    );
    const answer = (await response.json()) as PaymentIntent & { error?: StripeError };
    return answer.error ? { error: answer.error } : { paymentIntent: answer };
  }

  async function handleNextAction({
    clientSecret,
  }: {
    readonly clientSecret: string;
  }): Promise<Outcome<'paymentIntent', PaymentIntent>> {
    const before = await retrievePaymentIntent(clientSecret);
    if (before.error) return before;
    const { id, status, next_action: action } = before.paymentIntent;
    if (status !== 'requires_action')
      throw new IntegrationError(
        `handleNextAction: The PaymentIntent supplied is not in the requires_action state. Its status is ${status}.`,
      );
    if (action?.type === 'redirect_to_url') {
      window.location.assign(action.redirect_to_url!.url!);
      return new Promise(() => undefined);
    }
    await askHolder(
      `${ADDRESS}/authenticate/${id}?client_secret=${encodeURIComponent(clientSecret)}`,
    );
    const after = await retrievePaymentIntent(clientSecret);
    if (after.error || after.paymentIntent.status !== 'requires_payment_method') return after;
    return {
      error: { ...after.paymentIntent.last_payment_error!, payment_intent: after.paymentIntent },
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
    }) => elements.token(params),
    retrievePaymentIntent,
    handleNextAction,
    _registerWrapper: (): void => undefined,
  };
}

/** Shows the page of a card's bank above everything, until a person has answered. */
async function askHolder(url: string): Promise<void> {
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
    const hear = ({ source, origin, data }: MessageEvent<{ fake?: string }>): void => {
      if (origin !== ADDRESS || source !== frame.contentWindow || data.fake !== 'authenticated')
        return;
      window.removeEventListener('message', hear);
      resolve();
    };
    window.addEventListener('message', hear);
  });
  frame.remove();
}

Object.assign(window, { Stripe: createStripe });

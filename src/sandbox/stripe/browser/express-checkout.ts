/**
 * Stand-in for Stripe's Express Checkout Element, based on Stripe.js's types and reference
 * (docs.stripe.com/js/elements_object/create_express_checkout_element). The buttons and wallet
 * sheets are frames from the emulator's origin, and do not show the wallets' logos.
 */
import type {
  AvailablePaymentMethods,
  BillingDetails,
  ClickResolveDetails,
  ConfirmationToken,
  ExpressPaymentType,
  StripeError,
  StripeExpressCheckoutElementOptions,
} from '@stripe/stripe-js';
import { EventDispatcher } from './event-dispatcher.ts';
import { PROTECTED_STYLE } from './frame-style.ts';

/** Time limit for the page's response to the `click` event, in milliseconds. */
const CLICK_TIMEOUT = 1_000;

const OPTION_NAMES: Readonly<Record<string, keyof AvailablePaymentMethods>> = {
  apple_pay: 'applePay',
  google_pay: 'googlePay',
  link: 'link',
  paypal: 'paypal',
};
const METHOD_TYPES: Readonly<Record<string, string>> = { apple_pay: 'card', google_pay: 'card' };

const KNOWN_OPTIONS = [
  'allowedShippingCountries',
  'applePay',
  'billingAddressRequired',
  'business',
  'buttonHeight',
  'buttonTheme',
  'buttonType',
  'emailRequired',
  'layout',
  'lineItems',
  'paymentMethodOrder',
  'paymentMethods',
  'phoneNumberRequired',
  'shippingAddressRequired',
  'shippingRates',
];

declare global {
  interface Window {
    /** Wallets available to the donor. Default: Google Pay, Link, and PayPal. */
    stripeWallets?: readonly ExpressPaymentType[];
  }
}

/** The parts of the Elements group that the Express Checkout Element uses. */
interface ElementsGroup {
  readonly key: string;
  readonly options: {
    readonly mode?: string | undefined;
    readonly amount?: number | undefined;
    readonly currency?: string | undefined;
    readonly allowedPaymentMethodTypes?: readonly string[] | undefined;
    readonly appearance?:
      { readonly theme?: string | undefined; readonly variables?: object | undefined } | undefined;
  };
  clearElement(): void;
}

interface ElementHost {
  readonly frameUrl: string;
  readonly createError: (message: string) => Error;
  /** If a test has injected a fault, waits, throws, or never resolves. */
  readonly simulateFault: () => Promise<void>;
}

type TokenResult =
  | { readonly confirmationToken: ConfirmationToken; readonly error?: undefined }
  | { readonly error: StripeError; readonly confirmationToken?: undefined };

/** A frame from the emulator that responds to the page's requests. */
class Frame {
  readonly element = document.createElement('iframe');
  readonly #origin: string;
  readonly #onEvent: (event: string, value: unknown) => void;
  readonly #pendingRequests = new Map<number, (response: never) => void>();
  readonly #loaded: Promise<void>;
  #resolveLoaded: () => void = () => undefined;
  #lastRequestId = 0;

  constructor(url: string, title: string, onEvent: (event: string, value: unknown) => void) {
    this.#origin = new URL(url).origin;
    this.#onEvent = onEvent;
    this.#loaded = new Promise((resolve) => {
      this.#resolveLoaded = resolve;
    });
    Object.assign(this.element, { src: url, title, allow: 'payment *' });
    window.addEventListener('message', this.#handleMessage);
  }

  async sendRequest<Response>(name: string, value?: unknown): Promise<Response> {
    await this.#loaded;
    const id = (this.#lastRequestId += 1);
    return new Promise((resolve) => {
      this.#pendingRequests.set(id, resolve);
      this.element.contentWindow?.postMessage(
        { fake: 'wallet', id, request: name, value },
        this.#origin,
      );
    });
  }

  removeFrame(): void {
    window.removeEventListener('message', this.#handleMessage);
    this.element.remove();
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
    if (origin !== this.#origin || source !== this.element.contentWindow || data.fake !== 'wallet')
      return;
    if (data.id !== undefined) {
      this.#pendingRequests.get(data.id)?.(data.response);
      this.#pendingRequests.delete(data.id);
    } else if (data.event === 'loaded') this.#resolveLoaded();
    else this.#onEvent(data.event, data.value);
  };
}

/** Shows the wallet buttons. When the donor presses one, shows the wallet's sheet. */
export class ExpressCheckoutElement extends EventDispatcher {
  readonly #group: ElementsGroup;
  readonly #host: ElementHost;
  readonly #options: StripeExpressCheckoutElementOptions;
  #buttons: Frame | undefined;
  #sheet: Frame | undefined;
  #openType: ExpressPaymentType | undefined;

  constructor(
    group: ElementsGroup,
    host: ElementHost,
    options: StripeExpressCheckoutElementOptions,
  ) {
    super();
    this.#group = group;
    this.#host = host;
    this.#options = { ...options };
    const unknown = Object.keys(options).find((name) => !KNOWN_OPTIONS.includes(name));
    if (unknown !== undefined)
      throw host.createError(
        `Unrecognized create() parameter: ${unknown} is not a recognized parameter.`,
      );
    const { buttonHeight = 44 } = options;
    if (buttonHeight < 40 || buttonHeight > 55)
      throw host.createError('Invalid value for buttonHeight: it must be between 40 and 55.');
  }

  get isMounted(): boolean {
    return this.#buttons?.element.isConnected === true;
  }

  /**
   * Wallets to show. The donor must have the wallet, the page must offer it, and the group's
   * payment methods must include it.
   */
  get #types(): ExpressPaymentType[] {
    const { allowedPaymentMethodTypes } = this.#group.options;
    const { paymentMethods = {} } = this.#options;
    return (window.stripeWallets ?? ['google_pay', 'link', 'paypal']).filter((type) => {
      const name = OPTION_NAMES[type];
      return (
        name !== undefined &&
        paymentMethods[name] !== 'never' &&
        (allowedPaymentMethodTypes?.includes(METHOD_TYPES[type] ?? type) ?? true)
      );
    });
  }

  mount(target: string | HTMLElement): void {
    const node = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
    if (!node)
      throw this.#host.createError('The selector you specified applies to no DOM elements.');
    if (node.getRootNode() instanceof ShadowRoot)
      throw this.#host.createError(
        'Elements cannot be mounted in a ShadowRoot. Please mount in the Light DOM.',
      );
    this.unmount();
    const types = this.#types;
    const { buttonHeight = 44 } = this.#options;
    const frame = new Frame(
      `${this.#host.frameUrl}/express-checkout`,
      'Secure express checkout frame',
      (event, value) => this.#handleButtonEvent(event, value),
    );
    const height = types.length > 0 ? `${buttonHeight}px` : '0';
    frame.element.style.cssText =
      `${PROTECTED_STYLE}; margin: 0 !important; width: 100% !important; height: ${height}; ` +
      'color-scheme: normal';
    this.#buttons = frame;
    node.replaceChildren(frame.element);
    void frame
      .sendRequest('start', {
        types,
        height: buttonHeight,
        appearance: this.#group.options.appearance,
      })
      .then(() => this.#host.simulateFault())
      .then(
        () =>
          this.dispatch('ready', {
            elementType: 'expressCheckout',
            availablePaymentMethods:
              types.length > 0
                ? Object.fromEntries(
                    ['amazonPay', 'applePay', 'googlePay', 'klarna', 'link', 'paypal'].map(
                      (name) => [name, types.some((type) => OPTION_NAMES[type] === name)],
                    ),
                  )
                : undefined,
          }),
        (error: unknown) =>
          this.dispatch('loaderror', {
            elementType: 'expressCheckout',
            error: { type: 'api_connection_error', message: String(error) },
          }),
      );
  }

  update(options: StripeExpressCheckoutElementOptions): this {
    Object.assign(this.#options, options);
    return this;
  }

  /** Applies the Elements group's new appearance to the buttons. */
  refresh(): void {
    if (this.isMounted)
      void this.#buttons!.sendRequest('applyAppearance', {
        appearance: this.#group.options.appearance,
      });
  }

  focus(): void {
    this.#buttons?.element.focus();
    if (this.#buttons) void this.#buttons.sendRequest('focus');
  }

  unmount(): void {
    this.#closeSheet();
    this.#buttons?.removeFrame();
    this.#buttons = undefined;
  }

  destroy(): void {
    this.unmount();
    this.#group.clearElement();
  }

  /** Answers `elements.submit()`. */
  submit(): { readonly error?: StripeError; readonly selectedPaymentMethod?: string } {
    return this.#openType === undefined ? {} : { selectedPaymentMethod: this.#openType };
  }

  /** Creates a confirmation token from the approved payment, and closes the sheet. */
  async createToken(options: object): Promise<TokenResult> {
    if (!this.#sheet)
      throw this.#host.createError(
        'stripe.createConfirmationToken(): the donor has approved no payment in a wallet.',
      );
    const result = await this.#sheet.sendRequest<TokenResult>('token', options);
    this.#closeSheet();
    return result;
  }

  #handleButtonEvent(event: string, value: unknown): void {
    if (event === 'click') this.#handleClick(value as ExpressPaymentType);
    else this.dispatch(event, { elementType: 'expressCheckout' });
  }

  #handleClick(expressPaymentType: ExpressPaymentType): void {
    let isAnswered = false;
    const answer = (callback: () => void) => (): void => {
      if (isAnswered) return;
      isAnswered = true;
      clearTimeout(timer);
      callback();
    };
    const timer = setTimeout(
      answer(() => console.error('The click event was not resolved within one second.')),
      CLICK_TIMEOUT,
    );
    let details: ClickResolveDetails = {};
    const open = answer(() => this.#openSheet(expressPaymentType, details));
    this.dispatch('click', {
      elementType: 'expressCheckout',
      expressPaymentType,
      resolve: (resolved: ClickResolveDetails = {}) => {
        details = resolved;
        open();
      },
      reject: answer(() => undefined),
    });
  }

  #openSheet(type: ExpressPaymentType, details: ClickResolveDetails): void {
    const { amount = 0, currency, mode } = this.#group.options;
    const { lineItems = [], applePay } = details;
    if (lineItems.reduce((sum, item) => sum + item.amount, 0) > amount)
      throw this.#host.createError(
        `The amount ${amount} is less than the total amount of the line items provided.`,
      );
    this.#closeSheet();
    this.#openType = type;
    const sheet = new Frame(`${this.#host.frameUrl}/wallet`, 'Wallet', (event, value) => {
      if (event === 'cancel') {
        this.#closeSheet();
        this.dispatch('cancel', { elementType: 'expressCheckout' });
      }
      if (event === 'approve') this.#handleApproval(type, value as Required<BillingDetails>);
    });
    Object.assign(sheet.element.style, {
      position: 'fixed',
      inset: '0',
      width: '100%',
      height: '100%',
      border: '0',
      colorScheme: 'normal',
      zIndex: '2147483647',
    });
    this.#sheet = sheet;
    document.body.append(sheet.element);
    const { business, emailRequired, phoneNumberRequired, billingAddressRequired } = this.#options;
    void sheet.sendRequest('start', {
      key: this.#group.key,
      type,
      business: business?.name,
      amount,
      currency,
      isRecurring: mode === 'subscription',
      lineItems,
      recurringPaymentRequest: type === 'apple_pay' ? applePay?.recurringPaymentRequest : undefined,
      emailRequired,
      phoneNumberRequired,
      billingAddressRequired,
    });
  }

  /** Dispatches the `confirm` event with only those donor details that the page requires. */
  #handleApproval(
    expressPaymentType: ExpressPaymentType,
    { name, email, phone, address }: Required<BillingDetails>,
  ): void {
    const { emailRequired, phoneNumberRequired, billingAddressRequired } = this.#options;
    this.dispatch('confirm', {
      elementType: 'expressCheckout',
      expressPaymentType,
      billingDetails: {
        ...(billingAddressRequired && { name, address }),
        ...(emailRequired && { email }),
        ...(phoneNumberRequired && { phone }),
      },
      paymentFailed: () => this.#closeSheet(),
    });
  }

  #closeSheet(): void {
    this.#sheet?.removeFrame();
    this.#sheet = undefined;
    this.#openType = undefined;
  }
}

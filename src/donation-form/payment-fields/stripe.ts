import type {
  Appearance,
  ConfirmationToken,
  StripeElementLocale,
  StripeElements,
  StripeError,
  StripePaymentElementUpdateOptions,
  loadStripe as LoadStripe,
} from '@stripe/stripe-js';
// The package has no `exports` map. Browsers, bundlers, and Node all resolve this entry, but
// TypeScript does not find its types.
import { loadStripe } from '@stripe/stripe-js/dist/pure.mjs';
import {
  getStripeMethodFacts,
  toPaymentMethodType,
  type DonationFrequency,
  type PaymentMethodType,
} from '@donation-form/core/donation';
import { toStripeAmount } from '@donation-form/core/money';
import { getAppearance, observeAppearance } from './appearance.ts';
import { getAllowedMethods, getMethodOrder } from './stripe-methods.ts';
import { withTimeLimit } from './time-limit.ts';
import type { Confirmation, PaymentFieldFactory, Payer, ChargeSummary } from './payment-field.ts';

/**
 * Milliseconds until a call that needs nothing from the donor counts as failed. The form offers
 * another way to pay long before that.
 */
const TIMEOUT = 60_000;

/** Milliseconds that an email has to stay unchanged before Link looks it up. */
const EMAIL_DELAY = 1_000;

type ApplePayOption = NonNullable<StripePaymentElementUpdateOptions['applePay']>;

const APPLE_PAY_INTERVALS: Readonly<
  Record<Exclude<DonationFrequency, 'once'>, [unit: 'day' | 'month' | 'year', count: number]>
> = {
  weekly: ['day', 7],
  everyOtherWeek: ['day', 14],
  monthly: ['month', 1],
  quarterly: ['month', 3],
  biannual: ['month', 6],
  annually: ['year', 1],
};

/**
 * Languages of the form that Stripe names differently or does not support: Stripe.js reference,
 * 'Supported locales'.
 */
const STRIPE_LOCALES: Readonly<Record<string, StripeElementLocale>> = {
  'zh-Hans': 'zh',
  hi: 'en',
  uk: 'en',
};

/** Mounts Stripe's Payment Element. Payment details never leave Stripe's frames. */
export const mount: PaymentFieldFactory = async (
  host,
  {
    options,
    methods,
    charge,
    organization,
    collectedByForm,
    language,
    email,
    manageUrl,
    selectMethod,
  },
) => {
  const { publicKey = '', methods: configuredTypes = '', methodOrder, scriptUrl } = options;
  const stripe = await limitTime(
    runAsync(async () => {
      if (scriptUrl !== undefined) await loadStandIn(scriptUrl);
      return (loadStripe as typeof LoadStripe)(publicKey);
    }),
    'load Stripe.js',
  );
  if (!stripe) throw new Error('Stripe.js is not available in this environment.');
  const abortController = new AbortController();
  const createAppearance = (): Appearance => toStripeAppearance(host);
  const allowedTypes = configuredTypes
    .split(',')
    .map((type) => type.trim())
    .filter(Boolean);
  const hasLink = allowedTypes.includes('link');
  const createIntentOptions = (displayed: ChargeSummary) => ({
    ...toIntentOptions(displayed),
    ...(allowedTypes.length > 0 && {
      allowedPaymentMethodTypes: getAllowedMethods(allowedTypes, displayed),
    }),
  });
  const elements = stripe.elements({
    ...createIntentOptions(charge),
    ...(allowedTypes.includes('us_bank_account') && {
      // The server does not wait for the days that micro-deposits take.
      paymentMethodOptions: { us_bank_account: { verification_method: 'instant' } },
    }),
    locale: STRIPE_LOCALES[language] ?? (language as StripeElementLocale),
    appearance: createAppearance(),
  });
  // Stripe has no option for the text direction and inherits it from the host.
  host.dir = getAppearance(host).direction;
  const hiddenBillingFields = Object.fromEntries(
    collectedByForm.map((name) => [name, 'never' as const]),
  );
  const createApplePayOption = (displayed: ChargeSummary): ApplePayOption =>
    toApplePayOption(displayed, organization, manageUrl);
  let order = getMethodOrder(allowedTypes, methodOrder, charge);
  const element = elements.create('payment', {
    business: { name: organization },
    // Sent with the token instead of asking twice. Stripe asks for the rest: a billing address can
    // differ from the donor's, and most payment methods need none.
    fields: { billingDetails: hiddenBillingFields },
    wallets: { applePay: 'auto', googlePay: 'auto', link: hasLink ? 'auto' : 'never' },
    applePay: createApplePayOption(charge),
    ...(order.length > 0 && { paymentMethodOrder: order }),
    // Link recognizes returning donors by their email.
    ...(hasLink && email !== undefined && { defaultValues: { billingDetails: { email } } }),
  });
  let displayedCharge = charge;
  /** Awaited before confirming, because Stripe rejects a token created for another amount. */
  let pendingUpdate: Promise<unknown> | undefined = Promise.resolve();
  let emailTimer: ReturnType<typeof setTimeout> | undefined;
  let selectedType: string | undefined;

  const updateCharge = (): void => {
    const update = (pendingUpdate = runAsync(async () => {
      await elements.update(createIntentOptions(displayedCharge));
      const previousOrder = order;
      order = getMethodOrder(allowedTypes, methodOrder, displayedCharge);
      element.update({
        applePay: createApplePayOption(displayedCharge),
        ...(order.join() !== previousOrder.join() && { paymentMethodOrder: order }),
      });
    }));
    // The next confirmation tries again.
    update.catch(() => {
      if (pendingUpdate === update) pendingUpdate = undefined;
    });
  };

  await limitTime(
    new Promise<void>((resolve, reject) => {
      element.on('ready', () => resolve());
      element.on('change', ({ value }) => {
        selectedType = value.type;
        selectMethod(toPaymentMethodType(value.type));
      });
      element.on('loaderror', ({ error }) =>
        reject(
          new Error(
            `Stripe rejected the payment field: ${error.message ?? error.type}. Check "publicKey" ` +
              `and "methods" of this payment in the endpoint's configuration, and that Stripe has ` +
              `these methods enabled for this currency.`,
          ),
        ),
      );
      element.mount(host);
    }),
    'show the payment field',
  ).catch((error: unknown) => {
    element.destroy();
    throw error;
  });
  observeAppearance(
    host,
    () =>
      void runAsync(() => elements.update({ appearance: createAppearance() })).catch(
        (error: unknown) =>
          console.error('donation-form: Stripe could not change its colors.', error),
      ),
    abortController.signal,
  );

  return {
    update: (changed) => {
      displayedCharge = changed;
      updateCharge();
    },
    updateEmail: (changedEmail) => {
      if (!hasLink) return;
      clearTimeout(emailTimer);
      emailTimer = setTimeout(
        () => element.update({ defaultValues: { billingDetails: { email: changedEmail } } }),
        EMAIL_DELAY,
      );
    },
    confirm: async (payer) => {
      if (!pendingUpdate) updateCharge();
      await limitTime(pendingUpdate!, 'update the amount');
      return confirm(elements, payer);
    },
    handleNextAction: async (secret) => {
      // The server learns the outcome from Stripe. There is no time limit, because the donor may be
      // authenticating at the bank.
      await stripe
        .handleNextAction({ clientSecret: secret })
        .catch((error: unknown) =>
          console.error('donation-form: Stripe could not start the authentication.', error),
        );
    },
    focus: () => element.focus(),
    destroy: () => {
      abortController.abort();
      clearTimeout(emailTimer);
      element.destroy();
    },
  };

  async function confirm(
    elementGroup: StripeElements,
    { name, email: payerEmail, returnUrl }: Payer,
  ): Promise<Confirmation> {
    // Apple Pay, Google Pay, and some methods open a dialog, which the donor may use for minutes.
    const facts = getStripeMethodFacts(selectedType ?? '');
    const limitUnlessDialog = <Result>(call: Promise<Result>, action: string): Promise<Result> =>
      facts && !facts.opensDialog ? limitTime(call, action) : call;
    const submission = await limitUnlessDialog(elementGroup.submit(), 'check the payment details');
    if (submission.error) return toConfirmationProblem(submission.error);
    const billingDetails = Object.fromEntries(
      Object.entries({ name, email: payerEmail }).filter(
        ([field, value]) => value !== undefined && collectedByForm.some((name) => name === field),
      ),
    );
    const { confirmationToken, error } = await limitUnlessDialog(
      stripe!.createConfirmationToken({
        elements: elementGroup,
        params: {
          ...(returnUrl !== undefined && { return_url: returnUrl }),
          ...(collectedByForm.length > 0 && {
            payment_method_data: { billing_details: billingDetails },
          }),
        },
      }),
      'create a token',
    );
    return error
      ? toConfirmationProblem(error)
      : { token: confirmationToken.id, method: getPaymentMethod(confirmationToken, methods) };
  }
};

/** Rejects if Stripe does not respond. @param action what Stripe should do. */
function limitTime<Result>(call: Promise<Result>, action: string): Promise<Result> {
  return withTimeLimit(
    call,
    TIMEOUT,
    `Stripe did not ${action} within ${TIMEOUT / 1_000} seconds.`,
  );
}

/** Calls a function that may throw instead of rejecting. */
const runAsync = async <Result>(call: () => Result | Promise<Result>): Promise<Result> => call();

let standIn: Promise<unknown> | undefined;

/** Loads the sandbox's stand-in for Stripe.js once, which {@link loadStripe} then finds. */
function loadStandIn(url: string): Promise<unknown> {
  return (standIn ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.onload = resolve;
    script.onerror = () => {
      standIn = undefined;
      script.remove();
      reject(new Error(`Failed to load ${url}`));
    };
    document.head.append(script);
  }));
}

/** Returns the terms of a recurring donation, so that Apple Pay creates a token that outlives the card. */
function toApplePayOption(
  { total, currency, decimals, frequency }: ChargeSummary,
  organization: string,
  managementURL: string | undefined,
): ApplePayOption {
  if (frequency === 'once' || managementURL === undefined) return { recurringPaymentRequest: null };
  const [recurringPaymentIntervalUnit, recurringPaymentIntervalCount] =
    APPLE_PAY_INTERVALS[frequency];
  return {
    recurringPaymentRequest: {
      paymentDescription: organization,
      managementURL,
      regularBilling: {
        label: organization,
        amount: toStripeAmount(total, currency, decimals),
        recurringPaymentIntervalUnit,
        recurringPaymentIntervalCount,
      },
    },
  };
}

/**
 * Returns the Elements options that describe the charge. The mode `subscription` already implies
 * future use of the payment method.
 */
function toIntentOptions({ total, currency, decimals, frequency }: ChargeSummary) {
  const amountOptions = {
    amount: toStripeAmount(total, currency, decimals),
    currency: currency.toLowerCase(),
  };
  return frequency === 'once'
    ? { mode: 'payment' as const, ...amountOptions }
    : { mode: 'subscription' as const, ...amountOptions };
}

/**
 * Maps an error of Stripe. The field itself shows validation and card errors; of the others, the
 * donor can correct only the email.
 */
function toConfirmationProblem({ type, code, message }: StripeError): Confirmation {
  if (type === 'validation_error' || type === 'card_error') return { problem: 'incomplete' };
  if (code === 'email_invalid') return { problem: 'email-invalid' };
  console.error(`donation-form: Stripe created no token (${code ?? type}): ${message ?? ''}`);
  return { problem: 'failed' };
}

/** Returns the token's payment method, or the form's first one if the form does not offer it. */
function getPaymentMethod(
  { payment_method_preview: { type, card } }: ConfirmationToken,
  methods: readonly PaymentMethodType[],
): PaymentMethodType {
  const method = toPaymentMethodType(type, Boolean(card?.wallet));
  return methods.includes(method) ? method : (methods[0] ?? method);
}

/** Converts the form's appearance: Stripe.js reference, 'Elements Appearance API'. */
function toStripeAppearance(host: HTMLElement): Appearance {
  const { dark, variables } = getAppearance(host);
  const getRgba = (name: string): string => toRgba(host, variables[name] ?? '');
  const fieldBackground = getRgba('field-background');
  return {
    theme: dark ? 'night' : 'stripe',
    variables: {
      colorPrimary: getRgba('accent'),
      colorBackground: isTransparent(fieldBackground) ? getBackgroundColor(host) : fieldBackground,
      colorText: getRgba('text'),
      colorDanger: getRgba('danger'),
      borderRadius: variables.radius ?? '',
      fontFamily: variables.font ?? '',
      fontSizeBase: variables.size ?? '',
      focusBoxShadow: 'none',
      focusOutline: `3px solid ${getRgba('accent')}`,
    },
    rules: {
      '.Input': { border: `1px solid ${getRgba('border')}`, boxShadow: 'none' },
      '.Tab': { border: `1px solid ${getRgba('border')}`, boxShadow: 'none' },
      '.Tab--selected': { border: `1px solid ${getRgba('accent')}` },
    },
  };
}

/** Converts a CSS color to `rgba()`, because Stripe does not parse newer color spaces. */
function toRgba(host: HTMLElement, color: string): string {
  const probe = document.createElement('i');
  probe.style.setProperty('color', `color-mix(in srgb, ${color}, ${color})`, 'important');
  host.append(probe);
  const [red = 0, green = 0, blue = 0, alpha = 1] = [
    ...getComputedStyle(probe)
      .color.replace('srgb', '')
      .matchAll(/-?[\d.]+(?:e-?\d+)?/g),
  ].map(Number);
  probe.remove();
  return `rgba(${[red, green, blue].map((part) => Math.round(255 * Math.min(1, Math.max(0, part)))).join(', ')}, ${alpha})`;
}

const isTransparent = (color: string): boolean => color.endsWith(', 0)');

/** Returns the background color behind the form. */
function getBackgroundColor(host: HTMLElement): string {
  let node: Element | null = host;
  while (node) {
    const color = toRgba(host, getComputedStyle(node).backgroundColor);
    if (!isTransparent(color)) return color;
    const root: Node = node.getRootNode();
    node =
      node.assignedSlot ?? node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return getAppearance(host).dark ? 'rgb(0, 0, 0)' : 'rgb(255, 255, 255)';
}

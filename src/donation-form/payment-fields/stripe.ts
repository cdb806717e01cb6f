import type {
  Appearance,
  ConfirmationToken,
  StripeElementLocale,
  StripeElements,
  StripeError,
  loadStripe as LoadStripe,
} from '@stripe/stripe-js';
// The package has no `exports` map. Browsers, bundlers, and Node all resolve this entry, but
// TypeScript does not find its types.
import { loadStripe } from '@stripe/stripe-js/dist/pure.mjs';
import { PaymentMethodType } from '@donation-form/core/donation';
import { toStripeAmount } from '@donation-form/core/money';
import { getAppearance, observeAppearance } from './appearance.ts';
import type { Confirmation, PaymentFieldFactory, Payer, ChargeSummary } from './payment-field.ts';

const LOAD_TIMEOUT = 20_000;

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
  { options, methods, charge, organization, collectedByForm, language, selectMethod },
) => {
  const { publicKey = '', methods: configuredTypes = '', account } = options;
  const stripe = await (loadStripe as typeof LoadStripe)(
    publicKey,
    account ? { stripeAccount: account } : {},
  );
  if (!stripe) throw new Error('Stripe.js is not available in this environment.');
  const abortController = new AbortController();
  const createAppearance = (): Appearance => toStripeAppearance(host);
  const allowedTypes = configuredTypes
    .split(',')
    .map((type) => type.trim())
    .filter(Boolean);
  const elements = stripe.elements({
    ...toIntentOptions(charge),
    ...(allowedTypes.length > 0 && { allowedPaymentMethodTypes: allowedTypes }),
    locale: STRIPE_LOCALES[language] ?? (language as StripeElementLocale),
    appearance: createAppearance(),
  });
  // Stripe has no option for the text direction and inherits it from the host.
  host.dir = getAppearance(host).direction;
  const hiddenBillingFields = Object.fromEntries(
    collectedByForm.map((name) => [name, 'never' as const]),
  );
  const element = elements.create('payment', {
    business: { name: organization },
    // Sent with the token instead of asking twice. Stripe asks for the rest: a billing address can
    // differ from the donor's, and most payment methods need none.
    fields: { billingDetails: hiddenBillingFields },
    wallets: { applePay: 'auto', googlePay: 'auto', link: 'auto' },
  });
  element.on('change', ({ value: { type } }) =>
    selectMethod(toPaymentMethodType(type, /^(apple|google)_pay$/.test(type))),
  );
  /** Awaited before confirming, because Stripe rejects a token created for another amount. */
  let pendingUpdate: Promise<unknown> = Promise.resolve();

  await new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('Stripe did not respond in time.')), LOAD_TIMEOUT);
    element.on('ready', () => resolve());
    element.on('loaderror', ({ error }) =>
      reject(
        new Error(
          `Stripe rejected the payment field: ${error.message ?? error.type}. Check "publicKey", ` +
            `"methods", and "account" of this payment in the endpoint's configuration, and that ` +
            `Stripe has these methods enabled for this currency.`,
        ),
      ),
    );
    element.mount(host);
  }).catch((error: unknown) => {
    element.destroy();
    throw error;
  });
  observeAppearance(
    host,
    () => void elements.update({ appearance: createAppearance() }),
    abortController.signal,
  );

  return {
    update: (changed) => {
      pendingUpdate = elements.update(toIntentOptions(changed));
    },
    confirm: async (payer) => {
      await pendingUpdate;
      return confirm(elements, payer);
    },
    handleNextAction: async (secret) => {
      // The server learns the outcome from Stripe.
      await stripe
        .handleNextAction({ clientSecret: secret })
        .catch((error: unknown) =>
          console.error('donation-form: Stripe could not start the authentication.', error),
        );
    },
    focus: () => element.focus(),
    destroy: () => {
      abortController.abort();
      element.destroy();
    },
  };

  async function confirm(
    elementGroup: StripeElements,
    { name, email, returnUrl }: Payer,
  ): Promise<Confirmation> {
    const submission = await elementGroup.submit();
    if (submission.error) return toConfirmationProblem(submission.error);
    const billingDetails = Object.fromEntries(
      Object.entries({ name, email }).filter(
        ([field, value]) => value !== undefined && collectedByForm.some((name) => name === field),
      ),
    );
    const { confirmationToken, error } = await stripe!.createConfirmationToken({
      elements: elementGroup,
      params: {
        ...(returnUrl !== undefined && { return_url: returnUrl }),
        ...(collectedByForm.length > 0 && {
          payment_method_data: { billing_details: billingDetails },
        }),
      },
    });
    return error
      ? toConfirmationProblem(error)
      : { token: confirmationToken.id, method: getPaymentMethod(confirmationToken, methods) };
  }
};

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
 * Maps an error of Stripe. The field itself shows validation and card errors; the donor cannot fix
 * any other.
 */
function toConfirmationProblem({ type, code, message }: StripeError): Confirmation {
  if (type === 'validation_error' || type === 'card_error') return { problem: 'incomplete' };
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

/** @param type Stripe's name of the payment method. */
function toPaymentMethodType(type: string, isWallet: boolean): PaymentMethodType {
  if (type === 'link' || isWallet) return PaymentMethodType.Wallet;
  return /_debit$|_bank_account$/.test(type) ? PaymentMethodType.ACH : PaymentMethodType.CreditCard;
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

import type {
  Appearance,
  ConfirmationToken,
  StripeElementLocale,
  StripeElements,
  StripeError,
  loadStripe as LoadStripe,
} from '@stripe/stripe-js';
// The package has no map of exports: of its entries this is the one that browsers, bundlers and
// Node all find, though TypeScript does not find what it says of its types.
import { loadStripe } from '@stripe/stripe-js/dist/pure.mjs';
import { PaymentMethodType } from '@donation-form/core/donation';
import { stripeAmount } from '@donation-form/core/money';
import { lookOf, onLookChange } from './appearance.ts';
import type { Confirmation, MountPaymentField, Payer, PaymentGift } from './payment-field.ts';

const LOADING_TIME = 20_000;

/**
 * The form's languages that Stripe calls otherwise, or does not speak: Stripe.js reference,
 * 'Supported locales'.
 */
const LOCALES: Readonly<Record<string, StripeElementLocale>> = {
  'zh-Hans': 'zh',
  hi: 'en',
  uk: 'en',
};

/** Stripe's Payment Element. What the donor enters stays in Stripe's own frames. */
export const mount: MountPaymentField = async (
  host,
  { options, methods, gift, organization, asked, language },
) => {
  const { publicKey = '', methods: types = '', account } = options;
  const stripe = await (loadStripe as typeof LoadStripe)(
    publicKey,
    account ? { stripeAccount: account } : {},
  );
  if (!stripe) throw new Error('Stripe.js gave nothing');
  const leaving = new AbortController();
  const appearance = (): Appearance => appearanceOf(host);
  const allowed = types
    .split(',')
    .map((type) => type.trim())
    .filter(Boolean);
  const elements = stripe.elements({
    ...intentOf(gift),
    ...(allowed.length > 0 && { allowedPaymentMethodTypes: allowed }),
    locale: LOCALES[language] ?? (language as StripeElementLocale),
    appearance: appearance(),
  });
  // Stripe has no option for the direction of text, and takes it from around its frame.
  host.dir = lookOf(host).direction;
  const never = Object.fromEntries(asked.map((name) => [name, 'never' as const]));
  const element = elements.create('payment', {
    business: { name: organization },
    // Name and e-mail are never asked for twice, and travel with the token. All else is Stripe's to
    // ask: a card's address may be another than the donor's, and most ways to pay need none.
    fields: { billingDetails: never },
    wallets: { applePay: 'auto', googlePay: 'auto', link: 'auto' },
  });
  /**
   * The changes that Stripe has not taken over yet: it refuses a token that was made for another
   * gift.
   */
  let updated: Promise<unknown> = Promise.resolve();

  await new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('no answer from Stripe')), LOADING_TIME);
    element.on('ready', () => resolve());
    element.on('loaderror', ({ error }) =>
      reject(
        new Error(
          `Stripe says: ${error.message ?? error.type}. Look at "publicKey", "methods" and "account" of this payment in the endpoint's configuration, and whether the methods are switched on at Stripe for this currency.`,
        ),
      ),
    );
    element.mount(host);
  }).catch((error: unknown) => {
    element.destroy();
    throw error;
  });
  onLookChange(host, () => void elements.update({ appearance: appearance() }), leaving.signal);

  return {
    update: (changed) => {
      updated = elements.update(intentOf(changed));
    },
    confirm: async (payer) => {
      await updated;
      return confirm(elements, payer);
    },
    act: async (secret) => {
      // What goes wrong in it, the server learns from Stripe.
      await stripe
        .handleNextAction({ clientSecret: secret })
        .catch((error: unknown) =>
          console.error('donation-form: Stripe could not show what the bank asks for.', error),
        );
    },
    focus: () => element.focus(),
    destroy: () => {
      leaving.abort();
      element.destroy();
    },
  };

  async function confirm(
    group: StripeElements,
    { name, email, returnUrl }: Payer,
  ): Promise<Confirmation> {
    const submitted = await group.submit();
    if (submitted.error) return problemOf(submitted.error);
    const billing = Object.fromEntries(
      Object.entries({ name, email }).filter(
        ([field, value]) => value !== undefined && asked.some((one) => one === field),
      ),
    );
    const { confirmationToken, error } = await stripe!.createConfirmationToken({
      elements: group,
      params: {
        ...(returnUrl !== undefined && { return_url: returnUrl }),
        ...(asked.length > 0 && { payment_method_data: { billing_details: billing } }),
      },
    });
    return error
      ? problemOf(error)
      : { token: confirmationToken.id, method: methodOf(confirmationToken, methods) };
  }
};

/**
 * What is to be paid, as Stripe wants to know it beforehand. A subscription is for later charges
 * too by itself, so nothing else needs to say that.
 */
function intentOf({ total, currency, decimals, frequency }: PaymentGift) {
  const sum = { amount: stripeAmount(total, currency, decimals), currency: currency.toLowerCase() };
  return frequency === 'once'
    ? { mode: 'payment' as const, ...sum }
    : { mode: 'subscription' as const, ...sum };
}

/**
 * What Stripe's field shows the donor itself is incomplete; all else is nothing that a donor could
 * mend.
 */
function problemOf({ type, code, message }: StripeError): Confirmation {
  if (type === 'validation_error' || type === 'card_error') return { problem: 'incomplete' };
  console.error(`donation-form: Stripe made no token (${code ?? type}): ${message ?? ''}`);
  return { problem: 'failed' };
}

/**
 * How a token is paid. Where the form's definition does not list that, it counts as the first that
 * it lists.
 */
function methodOf(
  { payment_method_preview: { type, card } }: ConfirmationToken,
  methods: readonly PaymentMethodType[],
): PaymentMethodType {
  const method = readMethod(type, Boolean(card?.wallet));
  return methods.includes(method) ? method : (methods[0] ?? method);
}

/** @param type as Stripe names it. */
function readMethod(type: string, isWallet: boolean): PaymentMethodType {
  if (type === 'link' || isWallet) return PaymentMethodType.Wallet;
  return /_debit$|_bank_account$/.test(type) ? PaymentMethodType.ACH : PaymentMethodType.CreditCard;
}

/** The form's look in Stripe's words: Stripe.js reference, 'Elements Appearance API'. */
function appearanceOf(host: HTMLElement): Appearance {
  const { dark, variables } = lookOf(host);
  const rgb = (name: string): string => plainColour(host, variables[name] ?? '');
  const ground = isClear(rgb('field')) ? groundOf(host) : rgb('field');
  return {
    theme: dark ? 'night' : 'stripe',
    variables: {
      colorPrimary: rgb('accent'),
      colorBackground: ground,
      colorText: rgb('text'),
      colorDanger: rgb('danger'),
      borderRadius: variables.radius ?? '',
      fontFamily: variables.font ?? '',
      fontSizeBase: variables.size ?? '',
      focusBoxShadow: 'none',
      focusOutline: `3px solid ${rgb('accent')}`,
    },
    rules: {
      '.Input': { border: `1px solid ${rgb('line')}`, boxShadow: 'none' },
      '.Tab': { border: `1px solid ${rgb('line')}`, boxShadow: 'none' },
      '.Tab--selected': { border: `1px solid ${rgb('accent')}` },
    },
  };
}

/**
 * A colour in the words of old style sheets, which are all that Stripe reads: the form's own are
 * computed in newer colour spaces.
 */
function plainColour(host: HTMLElement, colour: string): string {
  const probe = document.createElement('i');
  probe.style.setProperty('color', `color-mix(in srgb, ${colour}, ${colour})`, 'important');
  host.append(probe);
  const [red = 0, green = 0, blue = 0, alpha = 1] = [
    ...getComputedStyle(probe)
      .color.replace('srgb', '')
      .matchAll(/-?[\d.]+(?:e-?\d+)?/g),
  ].map(Number);
  probe.remove();
  return `rgba(${[red, green, blue].map((part) => Math.round(255 * Math.min(1, Math.max(0, part)))).join(', ')}, ${alpha})`;
}

const isClear = (colour: string): boolean => colour.endsWith(', 0)');

/** The colour that the form stands on. */
function groundOf(host: HTMLElement): string {
  let node: Element | null = host;
  while (node) {
    const colour = plainColour(host, getComputedStyle(node).backgroundColor);
    if (!isClear(colour)) return colour;
    const root: Node = node.getRootNode();
    node =
      node.assignedSlot ?? node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return lookOf(host).dark ? 'rgb(0, 0, 0)' : 'rgb(255, 255, 255)';
}

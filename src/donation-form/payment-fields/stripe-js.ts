import type {
  Appearance,
  Stripe,
  StripeElementLocale,
  StripeError,
  StripePaymentElementUpdateOptions,
  loadStripe as LoadStripe,
} from '@stripe/stripe-js';
// The package has no `exports` map. Browsers, bundlers, and Node all resolve this entry, but
// TypeScript does not find its types.
import { loadStripe } from '@stripe/stripe-js/dist/pure.mjs';
import type { DonationFrequency } from '@donation-form/core/donation';
import { toStripeAmount } from '@donation-form/core/money';
import { getAppearance } from './appearance.ts';
import { withTimeLimit } from './time-limit.ts';
import type { Confirmation, ChargeSummary } from './payment-field.ts';

/**
 * Milliseconds until a call that needs nothing from the donor counts as failed. The form offers
 * another way to pay long before that.
 */
const TIMEOUT = 60_000;

export type ApplePayOption = NonNullable<StripePaymentElementUpdateOptions['applePay']>;

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
 * Form languages that Stripe names differently or does not support (Stripe.js reference, 'Supported
 * locales').
 */
const STRIPE_LOCALES: Readonly<Record<string, StripeElementLocale>> = {
  'zh-Hans': 'zh',
  hi: 'en',
  uk: 'en',
};

/** Stripe.js instances by form: each instance loads its own frames. */
const instances = new WeakMap<Element, Promise<Stripe>>();

/**
 * Loads Stripe.js, once for each form.
 * @param host a child of the form.
 * @param options public options of the provider.
 */
export function loadStripeForForm(
  host: HTMLElement,
  options: Readonly<Record<string, string>>,
): Promise<Stripe> {
  const form = host.parentElement ?? host;
  const instance = instances.get(form) ?? createStripe(options);
  instances.set(form, instance);
  instance.catch(() => instances.delete(form));
  return instance;
}

async function createStripe({
  publicKey = '',
  scriptUrl,
}: Readonly<Record<string, string>>): Promise<Stripe> {
  const stripe = await callWithTimeLimit(
    runAsync(async () => {
      if (scriptUrl !== undefined) await loadSandboxStripe(scriptUrl);
      return (loadStripe as typeof LoadStripe)(publicKey);
    }),
    'load Stripe.js',
  );
  if (!stripe) throw new Error('Stripe.js is not available in this environment.');
  return stripe;
}

export function toStripeLocale(language: string): StripeElementLocale {
  return STRIPE_LOCALES[language] ?? (language as StripeElementLocale);
}

/** Returns Stripe's names of the payment methods that the form offers; empty for all. */
export function parseMethodTypes(methods: string | undefined): string[] {
  return (methods ?? '')
    .split(',')
    .map((type) => type.trim())
    .filter(Boolean);
}

/** Rejects if Stripe does not respond. @param action what Stripe should do. */
export function callWithTimeLimit<Result>(call: Promise<Result>, action: string): Promise<Result> {
  return withTimeLimit(
    call,
    TIMEOUT,
    `Stripe did not ${action} within ${TIMEOUT / 1_000} seconds.`,
  );
}

/** Calls a function that may throw instead of rejecting. */
export const runAsync = async <Result>(call: () => Result | Promise<Result>): Promise<Result> =>
  call();

let standIn: Promise<unknown> | undefined;

/** Loads the sandbox's replacement for Stripe.js once; {@link loadStripe} then finds it. */
function loadSandboxStripe(url: string): Promise<unknown> {
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
export function toApplePayRecurringRequest(
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
export function toIntentOptions({ total, currency, decimals, frequency }: ChargeSummary) {
  const amountOptions = {
    amount: toStripeAmount(total, currency, decimals),
    currency: currency.toLowerCase(),
  };
  return frequency === 'once'
    ? { mode: 'payment' as const, ...amountOptions }
    : { mode: 'subscription' as const, ...amountOptions };
}

/**
 * Maps a Stripe error. The field itself shows validation and card errors; of the others, the donor
 * can correct only the email.
 */
export function toConfirmationProblem({ type, code, message }: StripeError): Confirmation {
  if (type === 'validation_error' || type === 'card_error') return { problem: 'incomplete' };
  if (code === 'email_invalid') return { problem: 'email-invalid' };
  console.error(`donation-form: Stripe created no token (${code ?? type}): ${message ?? ''}`);
  return { problem: 'failed' };
}

/** Converts the form's appearance to Stripe's (Stripe.js reference, 'Elements Appearance API'). */
export function toStripeAppearance(host: HTMLElement): Appearance {
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

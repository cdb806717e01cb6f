import type { Stripe } from 'stripe';
import { STRIPE_PUBLISHABLE_KEY } from '../../src/sandbox/index.ts';
import { CARDS } from '../../src/sandbox/stripe/test-payment-methods.ts';

/** Keys of the sandbox's Stripe account, by the environment variables of the configuration. */
export const STRIPE_KEYS = {
  PAYMENT_SECRET_KEY: 'sk_test_canary',
  PAYMENT_WEBHOOK_SECRET: 'whsec_canary',
};

/** Creates the configuration of payments through the sandbox's emulation of Stripe. */
export const createStripePayment = (sandboxUrl: string) => ({
  provider: 'stripe',
  apiUrl: `${sandboxUrl}/stripe`,
  scriptUrl: `${sandboxUrl}/stripe/stripe.js`,
  publicKey: STRIPE_PUBLISHABLE_KEY,
  secretKey: { env: 'PAYMENT_SECRET_KEY' },
  webhookSecret: { env: 'PAYMENT_WEBHOOK_SECRET' },
  methods: ['card', 'us_bank_account'],
});

/** Creates a confirmation token as Stripe.js does, and returns its ID. */
export async function createConfirmationToken(
  sandboxUrl: string,
  {
    card = CARDS.good,
    isRecurring = false,
    fetch: send = fetch,
  }: {
    readonly card?: string;
    readonly isRecurring?: boolean;
    readonly fetch?: (request: Request) => Response | Promise<Response>;
  } = {},
): Promise<string> {
  const response = await send(
    new Request(`${sandboxUrl}/stripe/v1/confirmation_tokens`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${STRIPE_PUBLISHABLE_KEY}` },
      body: new URLSearchParams({
        'payment_method_data[type]': 'card',
        'payment_method_data[number]': card,
        ...(isRecurring && { setup_future_usage: 'off_session' }),
      }),
    }),
  );
  return ((await response.json()) as { id: string }).id;
}

/** Lists the successful charges of a single donation, of the newest 100 in the account. */
export async function listStripeCharges(
  sandboxUrl: string,
  reference: string,
): Promise<Stripe.Charge[]> {
  const response = await fetch(`${sandboxUrl}/stripe/v1/charges?limit=100`, {
    headers: { Authorization: `Bearer ${STRIPE_KEYS.PAYMENT_SECRET_KEY}` },
  });
  const { data } = (await response.json()) as Stripe.ApiList<Stripe.Charge>;
  return data.filter(
    ({ metadata, status }) =>
      metadata.donation_form_reference === reference && status === 'succeeded',
  );
}

/** Formats a call without IDs, such as `POST /stripe/v1/payment_intents/:id/confirm`. */
export function formatCall({ method, url }: Request): string {
  return `${method} ${new URL(url).pathname.replaceAll(/\b(pi|cs_test|cus|sub|in)_\w+/g, ':id')}`;
}

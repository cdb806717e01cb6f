import assert from 'node:assert/strict';
import { Stripe } from 'stripe';
import type { SandboxOptions } from '../../index.ts';
import { getReferencedId } from '../../stripe/ids.ts';
import { TEST_PAYMENT_METHODS } from '../../stripe/test-payment-methods.ts';
import { openSandbox, type SandboxFixture } from '../support.ts';

const ORIGIN = 'http://127.0.0.1:4102';
const DAY = 86_400_000;

export interface StripeSandboxFixture extends SandboxFixture {
  /** Stripe's real library, connected to the sandbox without sockets. */
  readonly stripe: Stripe;
  /** Creates a confirmation token as Stripe.js does, and returns its ID. */
  readonly createToken: (number: string, isRecurring?: boolean) => Promise<string>;
  /** Makes a single payment of $50. */
  readonly createPayment: (number: string, fields?: object) => Promise<Stripe.PaymentIntent>;
  /** Starts a monthly subscription of $50 and returns its ID. */
  readonly createSubscription: (number: string, email?: string) => Promise<string>;
  /** Moves the sandbox's clock. */
  readonly advanceDays: (days: number) => Promise<void>;
  /** Visits a page as a browser does. With fields, submits its form. */
  readonly visitPage: (
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
}

/** Opens a sandbox and connects Stripe's real library to it. */
export function openStripeSandbox(options: Partial<SandboxOptions> = {}): StripeSandboxFixture {
  const fixture = openSandbox(options);
  const fetchFromSandbox = async (requested: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(requested);
    return fixture.sandbox.fetch(new Request(`${ORIGIN}/stripe${pathname}${search}`, init));
  };
  const stripe = new Stripe('sk_test_sandbox', {
    httpClient: Stripe.createFetchHttpClient(fetchFromSandbox as typeof fetch),
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const createToken = async (number: string, isRecurring = false): Promise<string> => {
    const { type } = TEST_PAYMENT_METHODS[number as keyof typeof TEST_PAYMENT_METHODS];
    const response = await fixture.sandbox.fetch(
      new Request(`${ORIGIN}/stripe/v1/confirmation_tokens`, {
        method: 'POST',
        headers: { Authorization: 'Bearer pk_test_sandbox' },
        body: new URLSearchParams({
          'payment_method_data[type]': type,
          'payment_method_data[number]': number,
          ...(isRecurring && { setup_future_usage: 'off_session' }),
        }),
      }),
    );
    const { id } = (await response.json()) as { id: string };
    assert.match(id, /^ctoken_/);
    return id;
  };
  return {
    ...fixture,
    stripe,
    createToken,
    async createPayment(number, fields = {}) {
      const { id } = await stripe.paymentIntents.create({
        amount: 5_000,
        currency: 'usd',
        metadata: { donation_form_reference: 'R1' },
        ...fields,
      });
      return stripe.paymentIntents
        .confirm(id, { confirmation_token: await createToken(number) })
        .catch(() => stripe.paymentIntents.retrieve(id));
    },
    async createSubscription(number, email = 'ana@example.org') {
      const customer = await stripe.customers.create({ email });
      const product = await stripe.products.create({ name: 'Monthly gift' });
      const subscription = await stripe.subscriptions.create({
        customer: customer.id,
        items: [
          {
            price_data: {
              currency: 'usd',
              product: product.id,
              recurring: { interval: 'month' },
              unit_amount: 5_000,
            },
          },
        ],
        payment_behavior: 'default_incomplete',
        payment_settings: {
          save_default_payment_method: 'on_subscription',
          payment_method_types: ['card', 'us_bank_account'],
        },
        metadata: { donation_form_reference: 'R2' },
        expand: ['latest_invoice.payments'],
      });
      const { payments } = subscription.latest_invoice as Stripe.Invoice;
      await stripe.paymentIntents.confirm(
        getReferencedId(payments?.data[0]?.payment.payment_intent),
        {
          confirmation_token: await createToken(number, true),
        },
      );
      return subscription.id;
    },
    async advanceDays(days) {
      const { status } = await fixture.request('/sandbox/clock', {
        advanceSeconds: (days * DAY) / 1_000,
      });
      assert.equal(status, 200);
    },
    visitPage: async (path, fields, headers = {}) =>
      fixture.sandbox.fetch(
        new Request(path.startsWith('http') ? path : `${ORIGIN}${path}`, {
          redirect: 'manual',
          headers: {
            ...(fields && { Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' }),
            ...headers,
          },
          ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
        }),
      ),
  };
}

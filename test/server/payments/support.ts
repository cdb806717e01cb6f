import type { DonationOutcome } from '../../../src/core/schemas/donation-outcome.ts';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { listen } from '../../../src/server/http/listen.ts';
import type { PaymentGateway } from '../../../src/server/payments/payment-gateway.ts';
import { createStripeGateway } from '../../../src/server/payments/stripe/stripe-gateway.ts';
import { exampleForm } from '../../example-form.ts';
import { CARDS, type FakeStripe, startFakeStripe } from '../../fake-stripe.ts';
import {
  createIdempotencyKey,
  startServer,
  type TestServer,
  type TestServerOptions,
} from '../support.ts';

/** The example form with three payment methods. */
export const formWithPayments: FormDefinition = {
  ...exampleForm,
  frequencies: ['once', 'monthly'],
  payments: [
    {
      provider: 'stripe',
      methods: [0, 4, 1],
      hasField: true,
      hasHostedCheckout: true,
      hasCustomerPortal: true,
      options: { publicKey: 'pk_test_fake', methods: 'card,us_bank_account' },
    },
    {
      provider: 'offline',
      label: 'Transfer',
      methods: [],
      hasField: false,
      hasHostedCheckout: false,
      hasCustomerPortal: false,
      options: { instructions: 'You get our account number.' },
    },
  ],
};

export interface StripeTestServer extends TestServer {
  readonly fakeStripe: FakeStripe;
  readonly gateway: PaymentGateway;
  /**
   * Donates through Stripe. Each key stands for a different donor. @param method a test card's
   * number, or the name of a test method; `null` sends no token.
   */
  donate(method?: string | null, gift?: object, key?: string): Promise<DonationOutcome>;
  donateMonthly(
    key?: string,
  ): Promise<{ reference: string; paymentId: string; subscriptionId: string }>;
  /** Delivers the fake's events to the server's webhook and returns the response statuses. */
  deliverWebhooks(how?: {
    readonly times?: number;
    readonly order?: 'original' | 'reversed' | 'shuffled';
  }): Promise<number[]>;
}

/** Starts a server that charges donations with the fake Stripe. */
export async function startServerWithStripe(
  options: TestServerOptions = {},
  running?: FakeStripe,
): Promise<StripeTestServer> {
  const fakeStripe = running ?? (await startFakeStripe());
  const gateway = createStripeGateway({
    secretKey: fakeStripe.secretKey,
    webhookSecret: fakeStripe.webhookSecret,
    methods: ['card', 'us_bank_account'],
    apiUrl: fakeStripe.url,
    retryDelay: 10,
  });
  const server = await startServer({
    form: formWithPayments,
    payments: { stripe: { gateway, providerType: 2 } },
    ...options,
  });
  const donate: StripeTestServer['donate'] = async (
    method = CARDS.good,
    gift = {},
    key = createIdempotencyKey(),
  ) => {
    const payment = {
      provider: 'stripe',
      returnUrl: 'https://lanternwell.example/give',
      ...(method !== null && {
        method: 0 as const,
        token: fakeStripe.createConfirmationToken(method, {
          isRecurring: 'frequency' in gift && gift.frequency !== 'once',
        }),
      }),
    };
    const donor = { email: `${key.slice(0, 12).toLowerCase()}@example.org` };
    return server.submitDonation({ payment, gift, donor }, key);
  };
  return {
    ...server,
    fakeStripe,
    gateway,
    donate,
    async donateMonthly(key) {
      const { reference } = await donate(CARDS.good, { frequency: 'monthly' }, key);
      const { paymentId, subscriptionId } = (await server.repository.findByReference(reference))!;
      return { reference, paymentId: paymentId!, subscriptionId: subscriptionId! };
    },
    async deliverWebhooks(how = {}) {
      const listener = await listen(server.handler.fetch, { host: '127.0.0.1', port: 0 });
      const statuses = await fakeStripe.deliverEvents(
        `${listener.url}/webhooks/stripe/lanternwell`,
        how,
      );
      await listener.close();
      return statuses;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      if (!running) await fakeStripe.close();
    },
  };
}

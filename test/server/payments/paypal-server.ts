import assert from 'node:assert/strict';
import type { DonationFrequency } from '../../../src/core/donation/frequency.ts';
import { PaymentMethodType } from '../../../src/core/donation/payment-method-type.ts';
import type { DonationOutcome } from '../../../src/core/schemas/donation-outcome.ts';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { exampleForm } from '../../example-form.ts';
import {
  createIdempotencyKey,
  ORIGIN,
  startServer,
  type TestServer,
  type TestServerOptions,
} from '../support.ts';
import { type PayPalProvider, startPayPalProvider, WEBHOOK_PATH } from './paypal-provider.ts';

export const formWithPayPal: FormDefinition = {
  ...exampleForm,
  frequencies: ['once', 'monthly'],
  payments: [
    {
      provider: 'paypal',
      label: 'PayPal',
      methods: [PaymentMethodType.Wallet],
      hasField: false,
      hasHostedCheckout: true,
      hasCustomerPortal: true,
      options: {},
    },
  ],
};

type Funding = 'balance' | 'declined' | 'echeck' | 'venmo';

export interface PayPalTestServer extends TestServer {
  readonly provider: PayPalProvider;
  readonly paypal: PayPalProvider['fixture']['paypal'];
  readonly donate: (key?: string, gift?: object) => Promise<DonationOutcome>;
  /** Submits a single donation that the donor then approves. */
  readonly placeApprovedOrder: (funding?: Funding) => Promise<{ key: string; reference: string }>;
  /** Submits a recurring donation that the donor then approves. */
  readonly startApprovedSubscription: (
    funding?: Funding,
    frequency?: DonationFrequency,
  ) => Promise<{ key: string; reference: string; subscriptionId: string }>;
  readonly getCaptureCount: (reference: string) => number;
  /** Delivers all events so far to the server's webhook, and returns the response statuses. */
  readonly deliverWebhooks: (options?: {
    readonly times?: number;
    readonly order?: 'original' | 'reversed' | 'shuffled';
  }) => Promise<Set<number>>;
  /** Sends a webhook for each event of this type. @returns the statuses of the responses. */
  readonly sendWebhooks: (type: string) => Promise<number[]>;
}

/** Runs the server with the emulation of PayPal. */
export async function startServerWithPayPal(
  options: TestServerOptions = {},
  providerOptions: Parameters<typeof startPayPalProvider>[0] = {},
): Promise<PayPalTestServer> {
  const provider = await startPayPalProvider(providerOptions);
  const server = await startServer({
    form: formWithPayPal,
    payments: { paypal: { gateway: provider.gateway } },
    ...options,
  });
  const { paypal } = provider.fixture;
  const donate: PayPalTestServer['donate'] = (key = createIdempotencyKey(), gift = {}) =>
    server.submitDonation(
      {
        payment: { provider: 'paypal', returnUrl: `${ORIGIN}/give` },
        gift,
        donor: { email: `${key.slice(0, 12).toLowerCase()}@example.org` },
      },
      key,
    );
  return {
    ...server,
    provider,
    paypal,
    donate,
    async placeApprovedOrder(funding = 'balance') {
      const key = createIdempotencyKey();
      const outcome = await donate(key);
      paypal.approveOrder(getOrderId(outcome), { funding });
      return { key, reference: outcome.reference };
    },
    async startApprovedSubscription(funding = 'balance', frequency = 'monthly') {
      const key = createIdempotencyKey();
      const { reference } = await donate(key, { frequency });
      const subscriptionId = getSubscriptionId({ paypal });
      paypal.approveSubscription(subscriptionId, { funding });
      return { key, reference, subscriptionId };
    },
    getCaptureCount: (reference) => paypal.listCaptures(reference).length,
    sendWebhooks: (type) =>
      Promise.all(
        paypal.events
          .filter((event) => event.event_type === type)
          .map(async (event) => {
            const body = JSON.stringify(event);
            const headers = paypal.createWebhookHeaders(provider.webhookId, body);
            return (await server.fetch(WEBHOOK_PATH, { method: 'POST', body, headers })).status;
          }),
      ),
    async deliverWebhooks(options) {
      const { url, close } = await listen(server.handler.fetch, { host: '127.0.0.1', port: 0 });
      const statuses = await paypal.deliverEvents(`${url}${WEBHOOK_PATH}`, {
        ...options,
        webhookId: provider.webhookId,
      });
      await close();
      return new Set(statuses);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** Returns the ID of the order in the URL of its approval page. */
export function getOrderId({ action }: DonationOutcome): string {
  assert.ok(action?.kind === 'redirect');
  return new URL(action.url).searchParams.get('token')!;
}

/** Returns the ID of the newest subscription. */
export function getSubscriptionId({ paypal }: Pick<PayPalTestServer, 'paypal'>): string {
  const created = paypal.events.findLast(
    ({ event_type: type }) => type === 'BILLING.SUBSCRIPTION.CREATED',
  );
  return (created!.resource as { id: string }).id;
}

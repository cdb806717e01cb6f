import assert from 'node:assert/strict';
import { PaymentMethodType } from '../../../src/core/donation/payment-method-type.ts';
import { createPayPalGateway } from '../../../src/server/payments/paypal/paypal-gateway.ts';
import { getOrderId } from '../../../src/server/payments/paypal/orders.ts';
import type { PaymentGateway } from '../../../src/server/payments/payment-gateway.ts';
import { createCheckedFetch } from '../../contract/paypal/checked-fetch.ts';
import {
  CREDENTIALS,
  startPayPal,
  type PayPalFixture,
} from '../../../src/sandbox/test/paypal/support.ts';
import type { MissingCapabilities, TestPaymentMethod, TestProvider } from './test-provider.ts';

const FUNDINGS = {
  good: 'balance',
  declined: 'declined',
  'insufficient funds': 'declined',
  expired: 'declined',
  'bank debit': 'echeck',
  'failing bank debit': 'echeck',
  'fails when renewed': 'balance',
} as const satisfies Partial<Record<TestPaymentMethod, string>>;

export const MISSING_CAPABILITIES: MissingCapabilities = {
  tokens: 'PayPal has no payment field; a declined order accepts another card',
  'hosted page': "donors approve payments on PayPal's page, and the server charges them",
  authentication: 'PayPal authenticates donors before they approve',
};

/** Path of the server's webhooks in tests. */
export const WEBHOOK_PATH = '/webhooks/paypal/lanternwell';

export interface PayPalProvider extends TestProvider {
  readonly fixture: PayPalFixture;
  readonly webhookId: string;
  /** Creates the gateway of another server. */
  readonly createGateway: () => PaymentGateway;
}

/** Starts the emulation of PayPal, and checks the gateway's calls against PayPal's OpenAPI files. */
export async function startPayPalProvider(
  options: Parameters<typeof startPayPal>[0] = {},
): Promise<PayPalProvider> {
  const fixture = await startPayPal(options);
  const { paypal, url } = fixture;
  // The emulation learns its own URL from the first request.
  await fetch(`${url}/pages.css`);
  const checked = createCheckedFetch({ baseUrl: url });
  const { id: webhookId } = paypal.addWebhook(`http://127.0.0.1:1${WEBHOOK_PATH}`, [
    'CATALOG.PRODUCT.UPDATED',
  ]);
  const createGateway = (): PaymentGateway =>
    createPayPalGateway({
      ...CREDENTIALS,
      environment: 'sandbox',
      apiUrl: url,
      webhookId,
      fetch: checked.fetch,
    });
  const disputes = new Map<string, string>();
  let lastMethod: TestPaymentMethod = 'good';
  return {
    fixture,
    webhookId,
    methodType: PaymentMethodType.Wallet,
    returnUrl: 'https://lanternwell.example/give',
    // 1.99 % and 0.49 USD of 51.81 USD.
    expectedCost: { fee: '1.52', net: '50.29', currency: 'USD' },
    createGateway,
    gateway: createGateway(),
    approve({ paymentId, subscriptionId }, method) {
      const funding = FUNDINGS[method as keyof typeof FUNDINGS];
      const orderId = getOrderId(paymentId);
      if (orderId !== undefined) paypal.approveOrder(orderId, { funding });
      else paypal.approveSubscription(subscriptionId!, { funding });
      lastMethod = method;
      return Promise.resolve();
    },
    listCharges: (reference) =>
      Promise.resolve(
        paypal
          .listCaptures(reference)
          .filter(({ status }) => !['PENDING', 'DECLINED'].includes(status))
          .map(({ amount }) => amount.units),
      ),
    settle({ paymentId }) {
      if (lastMethod === 'bank debit') paypal.settlePending(paymentId);
      else paypal.declinePending(paymentId);
      return Promise.resolve();
    },
    renew({ subscriptionId }) {
      if (lastMethod === 'fails when renewed') paypal.failRenewal(subscriptionId!);
      else paypal.renewSubscription(subscriptionId!);
      return Promise.resolve();
    },
    cancelSubscription: ({ subscriptionId }) =>
      Promise.resolve(paypal.cancelSubscription(subscriptionId!)),
    refund: ({ paymentId, currency = '' }, units) =>
      Promise.resolve(
        paypal.createRefund(paymentId, units === undefined ? undefined : { currency, units }),
      ),
    dispute({ paymentId }) {
      disputes.set(paymentId, paypal.openDispute(paymentId).id);
      return Promise.resolve();
    },
    closeDispute: ({ paymentId }, end) =>
      Promise.resolve(paypal.closeDispute(disputes.get(paymentId)!, end)),
    listWebhooks: () =>
      Promise.resolve(
        paypal.events.map((event) => {
          const body = JSON.stringify(event);
          return { body, headers: new Headers(paypal.createWebhookHeaders(webhookId, body)) };
        }),
      ),
    signWebhook: (body, time) =>
      Promise.resolve(new Headers(paypal.createWebhookHeaders(webhookId, body, time))),
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      assert.deepEqual(checked.problems, []);
    },
  };
}

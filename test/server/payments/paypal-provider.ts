import assert from 'node:assert/strict';
import { PaymentMethodType } from '../../../src/core/donation/payment-method-type.ts';
import {
  CREDENTIALS,
  type PayPalFixture,
  startPayPal,
} from '../../../src/sandbox/test/paypal/support.ts';
import type { PaymentEvent, PaymentGateway } from '../../../src/server/payments/payment-gateway.ts';
import { getOrderId } from '../../../src/server/payments/paypal/orders.ts';
import {
  createPayPalGateway,
  type PayPalGatewayOptions,
} from '../../../src/server/payments/paypal/paypal-gateway.ts';
import { createCheckedFetch } from '../../contract/paypal/checked-fetch.ts';
import {
  createPaymentRequest,
  type MissingCapabilities,
  type TestPaymentMethod,
  type TestProvider,
} from './test-provider.ts';

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
  readonly createGateway: (options?: Partial<PayPalGatewayOptions>) => PaymentGateway;
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
  const createGateway: PayPalProvider['createGateway'] = (changes) =>
    createPayPalGateway({
      ...CREDENTIALS,
      environment: 'sandbox',
      apiUrl: url,
      webhookId,
      fetch: checked.fetch,
      ...changes,
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
    async approve({ paymentId, subscriptionId }, method) {
      const funding = FUNDINGS[method as keyof typeof FUNDINGS];
      const orderId = getOrderId(paymentId);
      if (orderId !== undefined) paypal.approveOrder(orderId, { funding });
      else paypal.approveSubscription(subscriptionId!, { funding });
      lastMethod = method;
    },
    listCharges: async (reference) =>
      paypal
        .listCaptures(reference)
        .filter(({ status }) => !['PENDING', 'DECLINED'].includes(status))
        .map(({ amount }) => amount.units),
    async settle({ paymentId }) {
      if (lastMethod === 'bank debit') paypal.settlePending(paymentId);
      else paypal.declinePending(paymentId);
    },
    async renew({ subscriptionId }) {
      if (lastMethod === 'fails when renewed') paypal.failRenewal(subscriptionId!);
      else paypal.renewSubscription(subscriptionId!);
    },
    cancelSubscription: async ({ subscriptionId }) => paypal.cancelSubscription(subscriptionId!),
    refund: async ({ paymentId, currency = '' }, units) =>
      paypal.createRefund(paymentId, units === undefined ? undefined : { currency, units }),
    dispute: async ({ paymentId }) => disputes.set(paymentId, paypal.openDispute(paymentId).id),
    closeDispute: async ({ paymentId }, end) => paypal.closeDispute(disputes.get(paymentId)!, end),
    listWebhooks: async () =>
      paypal.events.map((event) => {
        const body = JSON.stringify(event);
        return { body, headers: new Headers(paypal.createWebhookHeaders(webhookId, body)) };
      }),
    signWebhook: async (body, time) =>
      new Headers(paypal.createWebhookHeaders(webhookId, body, time)),
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      assert.deepEqual(checked.problems, []);
    },
  };
}

/** Charges a donation, and returns the ID of its first payment. */
export async function pay(
  { gateway, approve, fixture }: PayPalProvider,
  frequency: 'once' | 'monthly' = 'once',
): Promise<string> {
  const request = createPaymentRequest({ frequency });
  const created = await gateway.createPayment(request);
  await approve!(created, 'good');
  await gateway.chargePayment(created, request);
  return fixture.paypal.listCaptures(request.reference)[0]!.id;
}

/** Returns the amount of each refund that the webhooks so far report, and the total refunded. */
export async function listReportedRefunds({
  gateway,
  listWebhooks,
}: PayPalProvider): Promise<Map<string, readonly [amount: number, refunded: number]>> {
  const refunds = new Map<string, readonly [number, number]>();
  for (const { body, headers } of await listWebhooks!())
    for (const event of await gateway.verifyAndFetchEvents!(body, headers))
      if (event.kind === 'refund') refunds.set(event.id, [event.amount, event.refunded]);
  return refunds;
}

export const createBody = (type: string, resource: object): string =>
  JSON.stringify({ id: 'WH-1', event_type: type, resource });

/** Sends a signed webhook to the gateway, and returns the events that it reports. */
export function receiveWebhook(
  provider: PayPalProvider,
  body: string,
): Promise<readonly PaymentEvent[]> {
  return provider.gateway.verifyAndFetchEvents!(body, createSignedHeaders(provider, body));
}

/** Signs a body as PayPal would. */
export const createSignedHeaders = (
  { fixture, webhookId }: PayPalProvider,
  body: string,
  { time = new Date(), id = webhookId } = {},
): Headers => new Headers(fixture.paypal.createWebhookHeaders(id, body, time));

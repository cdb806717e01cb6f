import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type {
  Payment,
  PaymentGateway,
  PaymentRequest,
} from '../../../src/server/payments/payment-gateway.ts';
import { createStripeGateway } from '../../../src/server/payments/stripe/stripe-gateway.ts';
import type { FakeStripe } from '../../fake-stripe.ts';
import { createPaymentRequest } from './test-provider.ts';

/** A request for a card payment on the form. */
export const REQUEST = createPaymentRequest({
  reference: 'ABCDE-FGHJK',
  description: 'Lanternwell',
  token: 'ctoken_pending',
});

export const createGateway = (
  { secretKey, webhookSecret, url }: FakeStripe,
  methods = ['card', 'us_bank_account', 'sepa_debit', 'bacs_debit', 'au_becs_debit'],
): PaymentGateway => createStripeGateway({ secretKey, webhookSecret, methods, apiUrl: url });

/** Creates and confirms a payment, as the server does. */
export async function chargePayment(
  fake: FakeStripe,
  gateway: PaymentGateway,
  method: string,
  changes: Partial<PaymentRequest> = {},
): Promise<Payment> {
  const request = { ...REQUEST, ...changes };
  const isRecurring = request.frequency !== 'once';
  return gateway.chargePayment(await gateway.createPayment(request), {
    ...request,
    token: fake.createConfirmationToken(method, { isRecurring }),
  });
}

/** Collects the requests that Stripe sends to a webhook endpoint. */
export async function collectWebhooks(
  fake: FakeStripe,
): Promise<{ body: string; headers: Headers }[]> {
  const received: { body: string; headers: Headers }[] = [];
  const server = createServer((request, response) => {
    const headers = new Headers(request.headers as Record<string, string>);
    void text(request).then((body) => {
      received.push({ body, headers });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await fake.deliverEvents(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  return received;
}

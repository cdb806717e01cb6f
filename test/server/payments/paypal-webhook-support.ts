import type { PayPalProvider } from './paypal-provider.ts';
import { createPaymentRequest } from './paypal-support.ts';

/** Charges a donation, and returns the id of its payment. */
export async function pay(
  { gateway, approve }: PayPalProvider,
  reference: string,
): Promise<string> {
  const request = createPaymentRequest({ reference });
  const created = await gateway.createPayment(request);
  await approve!(created, 'good');
  return (await gateway.chargePayment(created, request)).paymentId;
}

/** Builds the body of a webhook. */
export const createBody = (type: string, resource: object): string =>
  JSON.stringify({ id: 'WH-1', event_type: type, resource });

/** Signs a body as PayPal would. */
export const sign = (
  { fixture, webhookId }: PayPalProvider,
  body: string,
  { time = new Date(), id = webhookId } = {},
): Headers => new Headers(fixture.paypal.createWebhookHeaders(id, body, time));

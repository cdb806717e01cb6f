import type { PayPalProvider } from './paypal-provider.ts';
import { createPaymentRequest } from './paypal-support.ts';

/** Charges a donation, and returns the ID of its payment. */
export async function payAndGetPaymentId(
  { gateway, approve }: PayPalProvider,
  reference: string,
): Promise<string> {
  const request = createPaymentRequest({ reference });
  const created = await gateway.createPayment(request);
  await approve!(created, 'good');
  return (await gateway.chargePayment(created, request)).paymentId;
}

/** Charges a monthly donation, and returns the ID of its first payment. */
export async function payMonthlyAndGetPaymentId(
  { gateway, approve, fixture }: PayPalProvider,
  reference: string,
): Promise<string> {
  const request = createPaymentRequest({ reference, frequency: 'monthly' });
  const created = await gateway.createPayment(request);
  await approve!(created, 'good');
  await gateway.chargePayment(created, request);
  return fixture.paypal.listCaptures(reference)[0]!.id;
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

/** Builds the body of a webhook. */
export const createBody = (type: string, resource: object): string =>
  JSON.stringify({ id: 'WH-1', event_type: type, resource });

/** Signs a body as PayPal would. */
export const createSignedHeaders = (
  { fixture, webhookId }: PayPalProvider,
  body: string,
  { time = new Date(), id = webhookId } = {},
): Headers => new Headers(fixture.paypal.createWebhookHeaders(id, body, time));

import type { PaymentEvent } from '../payment-gateway.ts';
import type { PayPalClient } from './client.ts';
import { toOrderPaymentId, type Capture } from './orders.ts';

export function fetchCapture(client: PayPalClient, id: string): Promise<Capture> {
  return client.get(`/v2/payments/captures/${id}`);
}

/**
 * Returns the payment event for the capture's order. Returns an empty list if the capture has no
 * order.
 */
export function toOrderEvents({ supplementary_data: data }: Capture): PaymentEvent[] {
  const orderId = data?.related_ids?.order_id;
  return orderId === undefined ? [] : [{ kind: 'payment', paymentId: toOrderPaymentId(orderId) }];
}

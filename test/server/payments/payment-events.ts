import type { PaymentEvent } from '../../../src/server/payments/payment-gateway.ts';
import type { TestProvider } from './test-provider.ts';

/** Reads the latest version of each event from the webhooks, by its ID. */
export async function listPaymentEvents(
  { gateway, listWebhooks }: TestProvider,
  order: 'as sent' | 'reversed twice over' = 'as sent',
): Promise<Map<string, PaymentEvent>> {
  const sent = await listWebhooks!();
  const delivered = order === 'as sent' ? sent : [...sent.toReversed(), ...sent.toReversed()];
  const paymentEvents: PaymentEvent[] = [];
  for (const { body, headers } of delivered)
    paymentEvents.push(...(await gateway.verifyAndFetchEvents!(body, headers)));
  return new Map(
    paymentEvents.map((paymentEvent) => [
      'id' in paymentEvent ? paymentEvent.id : `payment ${paymentEvent.paymentId}`,
      paymentEvent,
    ]),
  );
}

/** Sorts events by ID, without times, which depend on the first delivery. */
export function removeTimes(paymentEvents: ReadonlyMap<string, PaymentEvent>): object[] {
  return [...paymentEvents]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([, paymentEvent]) => ({ ...paymentEvent, at: undefined }));
}

import type { PaymentEvent } from '../payment-gateway.ts';
import { parsePayPalMoney, type Money } from './amounts.ts';
import { fetchCapture, toOrderEvents } from './captures.ts';
import type { PayPalClient } from './client.ts';
import { parsePayPalTime } from './parse-time.ts';
import { ignoreForbiddenError, ignoreNotFoundError } from './ignore-errors.ts';
import { findSaleEvents } from './subscription-events.ts';

/** https://developer.paypal.com/docs/api/customer-disputes/v1/#definition-dispute */
export interface Dispute {
  readonly dispute_id: string;
  readonly create_time?: string;
  readonly update_time?: string;
  readonly status?: string;
  readonly dispute_amount?: Money;
  readonly dispute_outcome?: { readonly outcome_code?: string };
  readonly disputed_transactions?: readonly { readonly seller_transaction_id?: string }[];
}

/** Dispute outcomes in which the donor gets the money back. */
const LOST_OUTCOMES: readonly string[] = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'];

/**
 * Fetches the events of a payment's disputes. Returns no events if the app lacks permission to read
 * disputes, because the server can record charges and refunds without that permission.
 */
export async function fetchDisputeEvents(
  client: PayPalClient,
  paymentId: string,
): Promise<PaymentEvent[]> {
  const disputes = await client
    .get<{ readonly items?: readonly Dispute[] }>('/v1/customer/disputes', {
      disputed_transaction_id: paymentId,
    })
    .catch(ignoreForbiddenError);
  const paymentEvents: PaymentEvent[] = [];
  for (const { dispute_id: id } of disputes?.items?.toReversed() ?? [])
    paymentEvents.push(...(await fetchEventsForDisputeId(client, id)));
  return paymentEvents;
}

export async function fetchEventsForDisputeId(
  client: PayPalClient,
  disputeId: string,
): Promise<PaymentEvent[]> {
  const dispute = await client.get<Dispute>(`/v1/customer/disputes/${disputeId}`);
  const result = getDisputeResult(dispute);
  const paymentEvents: PaymentEvent[] = [];
  for (const paymentId of getDisputedPaymentIds(dispute)) {
    const capture = await fetchCapture(client, paymentId).catch(ignoreNotFoundError);
    const orderEvents = capture ? toOrderEvents(capture) : [];
    const common = { paymentId, amount: await fetchDisputedAmount(client, dispute, paymentId) };
    paymentEvents.push(
      ...(orderEvents.length > 0 ? orderEvents : await findSaleEvents(client, paymentId)),
      {
        ...common,
        kind: 'dispute_opened',
        id: `dispute_opened ${disputeId}`,
        at: new Date(parsePayPalTime(dispute.create_time)),
      },
      ...(result
        ? [
            {
              ...common,
              kind: result,
              id: `${result} ${disputeId}`,
              at: new Date(parsePayPalTime(dispute.update_time)),
            },
          ]
        : []),
    );
  }
  return paymentEvents;
}

export function getDisputedPaymentIds({
  disputed_transactions: transactions = [],
}: Dispute): string[] {
  return transactions.flatMap(({ seller_transaction_id: id }) => (id === undefined ? [] : [id]));
}

async function fetchDisputedAmount(
  client: PayPalClient,
  { dispute_amount: amount }: Dispute,
  paymentId: string,
): Promise<number> {
  return parsePayPalMoney(amount ?? (await fetchCapture(client, paymentId)).amount).total;
}

/** Returns a dispute's result, or `undefined` if the dispute is not resolved yet. */
export function getDisputeResult({
  status,
  dispute_outcome: outcome,
}: Dispute): 'dispute_won' | 'dispute_lost' | undefined {
  if (status !== 'RESOLVED') return undefined;
  return LOST_OUTCOMES.includes(outcome?.outcome_code ?? '') ? 'dispute_lost' : 'dispute_won';
}

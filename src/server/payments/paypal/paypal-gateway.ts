import {
  NotChargedError,
  type Payment,
  type PaymentGateway,
  type PaymentIds,
  type PaymentRequest,
  type RefusalReason,
} from '../payment-gateway.ts';
import { PayPalClient, PayPalError, type PayPalClientOptions } from './client.ts';
import { captureOrder, createOrder, getOrderId, retrieveCapture, retrieveOrder } from './orders.ts';

/** What the donor can correct, by PayPal's issue. */
const REFUSAL_REASONS: Readonly<Record<string, RefusalReason>> = {
  CANNOT_BE_ZERO_OR_NEGATIVE: 'amount-too-small',
  MAX_VALUE_EXCEEDED: 'amount-too-large',
};

/**
 * Creates the gateway to PayPal. A donation is an order, which the donor approves on PayPal's page
 * and the server then captures.
 */
export function createPayPalGateway(options: PayPalClientOptions): PaymentGateway {
  const client = new PayPalClient(options);

  const retrievePayment = ({ paymentId }: PaymentIds): Promise<Payment> => {
    const orderId = getOrderId(paymentId);
    return orderId === undefined
      ? retrieveCapture(client, paymentId)
      : retrieveOrder(client, orderId);
  };

  return {
    async create(request: PaymentRequest): Promise<Payment> {
      if (request.token !== undefined) throw new NotChargedError('PayPal has no payment field');
      if (request.frequency !== 'once')
        throw new NotChargedError('recurring donations with PayPal are not supported');
      try {
        return await createOrder(client, request);
      } catch (error) {
        throw toRefusal(error) ?? error;
      }
    },
    async confirm(ids: PaymentIds, { reference }: PaymentRequest): Promise<Payment> {
      const orderId = getOrderId(ids.paymentId);
      return orderId === undefined
        ? retrievePayment(ids)
        : captureOrder(client, orderId, reference);
    },
    retrieve: retrievePayment,
    /**
     * PayPal cannot cancel an order, but it moves no money unless the server captures it, which it
     * does not after this.
     */
    async cancel(ids: PaymentIds): Promise<Payment> {
      const payment = await retrievePayment(ids);
      return payment.status === 'requires_action' || payment.status === 'approved'
        ? { paymentId: payment.paymentId, status: 'failed', reason: 'not-confirmed' }
        : payment;
    },
  };
}

/** Converts a rejection of the call that creates a payment. */
function toRefusal(error: unknown): NotChargedError | undefined {
  if (!(error instanceof PayPalError) || !error.isRejection) return undefined;
  const reason = error.issues.map((issue) => REFUSAL_REASONS[issue]).find(Boolean);
  return new NotChargedError(`PayPal rejected the payment (${error.code})`, {
    cause: error,
    ...(reason && { reason }),
  });
}

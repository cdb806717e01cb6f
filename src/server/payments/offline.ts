import {
  NotChargedError,
  type Payment,
  type PaymentGateway,
  type PaymentIds,
  type PaymentRequest,
} from './payment-gateway.ts';

/** Creates the gateway for checks, bank transfers, and pledges. Staff record each payment. */
export function createOfflineGateway(): PaymentGateway {
  return {
    createPayment: ({ reference, total, currency }: PaymentRequest): Promise<Payment> =>
      Promise.resolve({
        paymentId: reference,
        status: 'processing',
        awaiting: 'donor',
        total,
        currency,
      }),
    chargePayment: (ids) => Promise.reject(new NotChargedError(describePledge(ids))),
    retrievePayment: (ids) => Promise.reject(new Error(describePledge(ids))),
    cancelPayment: (ids) => Promise.reject(new Error(describePledge(ids))),
  };
}

function describePledge({ paymentId }: PaymentIds): string {
  return `payment ${paymentId} is not made through a payment provider`;
}

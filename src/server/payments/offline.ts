import type { PaymentRequest, Payment, PaymentGateway, PaymentIds } from './payment-gateway.ts';

/**
 * A cheque, a transfer or a pledge: the gift is promised, and a person enters at the platform that
 * the money came.
 */
export function offlineGateway(): PaymentGateway {
  return {
    create: ({ reference, total, currency }: PaymentRequest): Promise<Payment> =>
      Promise.resolve({ paymentId: reference, state: 'promised', total, currency }),
    confirm: refuse,
    retrieve: refuse,
    cancel: refuse,
  };
}

function refuse({ paymentId }: PaymentIds): never {
  throw new Error(`${paymentId} is paid outside of any processor`);
}

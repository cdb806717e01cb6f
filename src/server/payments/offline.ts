import type { PaymentRequest, Payment, PaymentGateway, PaymentIds } from './payment-gateway.ts';

/** Creates the gateway for checks, transfers, and pledges. A person records each payment. */
export function createOfflineGateway(): PaymentGateway {
  return {
    create: ({ reference, total, currency }: PaymentRequest): Promise<Payment> =>
      Promise.resolve({
        paymentId: reference,
        status: 'processing',
        awaiting: 'donor',
        total,
        currency,
      }),
    confirm: throwNoProviderError,
    retrieve: throwNoProviderError,
    cancel: throwNoProviderError,
  };
}

function throwNoProviderError({ paymentId }: PaymentIds): never {
  throw new Error(`${paymentId} is not paid through a provider`);
}

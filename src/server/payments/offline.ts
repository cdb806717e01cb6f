import { NotChargedError, type PaymentGateway } from './payment-gateway.ts';

/**
 * Creates the gateway for checks, bank transfers, and pledges. The server saves a pledge without a
 * gateway, and staff record its payment, so this gateway rejects all calls.
 */
export function createOfflineGateway(): PaymentGateway {
  const reject = (): Promise<never> =>
    Promise.reject(
      new NotChargedError('an offline donation is not paid through a payment provider'),
    );
  return {
    createPayment: reject,
    chargePayment: reject,
    retrievePayment: reject,
    cancelPayment: reject,
  };
}
